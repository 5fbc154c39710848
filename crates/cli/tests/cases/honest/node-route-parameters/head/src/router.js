'use strict';

function compile(path) {
  const names = [];
  const source = path.replace(/:(\w+)/g, (_, name) => {
    names.push(name);
    return '([^/]+)';
  });
  return { names, pattern: new RegExp(`^${source}$`) };
}

class Router {
  constructor() {
    this.routes = [];
  }

  get(path, handler) {
    this.routes.push({ method: 'GET', ...compile(path), handler });
  }

  handle(req, res) {
    for (const route of this.routes) {
      const match = route.method === req.method && route.pattern.exec(req.url);
      if (match) {
        const params = {};
        route.names.forEach((name, i) => {
          params[name] = decodeURIComponent(match[i + 1]);
        });
        return route.handler({ ...req, params }, res);
      }
    }
    res.statusCode = 404;
    return res.end('not found');
  }
}

module.exports = { Router };
