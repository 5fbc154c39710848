const FACTORS = { km: 1000, m: 1, cm: 0.01 };

export function metres(text) {
  const found = /^(\d+(?:\.\d+)?)\s*(km|m|cm)$/.exec(text);
  if (!found) throw new RangeError(`no length: ${text}`);
  return Number(found[1]) * FACTORS[found[2]];
}
