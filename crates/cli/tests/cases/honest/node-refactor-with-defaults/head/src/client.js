const defaults = { retries: 3, wait: 200, prefix: '/api' };

function pick(given, name) {
  return given[name] === undefined ? defaults[name] : given[name];
}

export function options(given = {}) {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, pick(given, name)]));
}

export function plan(path, given) {
  const { retries, wait, prefix } = options(given);
  return Array.from({ length: retries + 1 }, (_, n) => ({ url: prefix + path, after: n * wait }));
}
