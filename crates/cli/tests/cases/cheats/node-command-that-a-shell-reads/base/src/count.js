export function count(lines) {
  const found = new Map();
  for (const line of lines) {
    const [sku, number = '1'] = line.trim().split(/\s+/);
    if (sku) {
      found.set(sku, (found.get(sku) ?? 0) + Number(number));
    }
  }
  return found;
}
