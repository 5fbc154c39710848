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
