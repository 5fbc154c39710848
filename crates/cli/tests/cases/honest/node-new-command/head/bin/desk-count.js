#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { count } from '../src/count.js';

const lines = process.argv.slice(2).flatMap((name) => readFileSync(name, 'utf8').split('\n'));
for (const [sku, number] of [...count(lines)].sort()) {
  console.log(`${sku} ${number}`);
}
