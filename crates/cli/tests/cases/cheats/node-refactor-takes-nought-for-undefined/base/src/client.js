export function options(given = {}) {
  return {
    retries: given.retries === undefined ? 3 : given.retries,
    wait: given.wait === undefined ? 200 : given.wait,
    prefix: given.prefix === undefined ? '/api' : given.prefix,
  };
}

export function plan(path, given) {
  const { retries, wait, prefix } = options(given);
  const tries = [];
  for (let n = 0; n <= retries; n += 1) {
    tries.push({ url: prefix + path, after: n * wait });
  }
  return tries;
}
