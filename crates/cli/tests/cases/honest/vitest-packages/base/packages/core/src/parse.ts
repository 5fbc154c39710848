export function parse(text: string): Record<string, string> {
  return Object.fromEntries(text.split('&').map((part) => part.split('=')));
}
