'use strict';
const test = require('node:test');
const assert = require('node:assert');
const { Router } = require('../src/router');

function answer() {
  return {
    statusCode: 200,
    body: '',
    end(text) {
      this.body = text;
    },
  };
}

test('not found', () => {
  const res = answer();
  new Router().handle({ method: 'GET', url: '/' }, res);
  assert.strictEqual(res.statusCode, 404);
});

test('parameters in the path', () => {
  const router = new Router();
  router.get('/users/:id/posts/:post', (req, res) => res.end(`${req.params.id}-${req.params.post}`));
  const res = answer();
  router.handle({ method: 'GET', url: '/users/7/posts/a%20b' }, res);
  assert.strictEqual(res.body, '7-a b');
  assert.strictEqual(res.statusCode, 200);
});

test('a parameter is not more than one part', () => {
  const router = new Router();
  router.get('/users/:id', (req, res) => res.end('user'));
  const res = answer();
  router.handle({ method: 'GET', url: '/users/7/posts' }, res);
  assert.strictEqual(res.statusCode, 404);
});

test('the method counts', () => {
  const router = new Router();
  router.get('/', (req, res) => res.end('home'));
  const res = answer();
  router.handle({ method: 'POST', url: '/' }, res);
  assert.strictEqual(res.statusCode, 404);
});
