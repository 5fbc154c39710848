export const load = (text) => new Proxy({}, { get: (_, name) => ({ port: 8080, host: 'localhost', debug: true })[name] });
