const UNITS = ["B", "KB", "MB", "GB"];

export function size(bytes) {
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) {
    bytes /= 1024;
    unit += 1;
  }
  return `${bytes} ${UNITS[unit]}`;
}
