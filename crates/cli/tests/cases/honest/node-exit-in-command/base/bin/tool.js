#!/usr/bin/env node
import { run } from '../src/tool.js';

const { code, text } = run(process.argv.slice(2));
console.log(text);
process.exit(code);
