export function parse(text: string): Record<string, string> {
  const query = text.startsWith('?') ? text.slice(1) : text;
  const values: Record<string, string> = {};
  for (const part of query.split('&')) {
    if (!part) continue;
    const [name, ...rest] = part.split('=');
    values[decodeURIComponent(name)] = decodeURIComponent(rest.join('='));
  }
  return values;
}
