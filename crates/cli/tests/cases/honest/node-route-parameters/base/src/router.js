'use strict';

class Router {
  constructor() {
    this.routes = [];
  }

  get(path, handler) {
    this.routes.push({ method: 'GET', path, handler });
  }

  handle(req, res) {
    const route = this.routes.find((r) => r.method === req.method && r.path === req.url);
    if (!route) {
      res.statusCode = 404;
      return res.end('not found');
    }
    return route.handler(req, res);
  }
}

module.exports = { Router };
