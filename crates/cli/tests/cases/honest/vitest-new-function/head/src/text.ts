export const upper = (text: string): string => text.toUpperCase();

export function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join('');
}
