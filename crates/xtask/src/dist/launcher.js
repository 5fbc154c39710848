#!/usr/bin/env node
// Starts the proctor that was installed for this machine. Downloads nothing.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@proctor-dev/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/proctor`);
} catch {
  process.stderr.write(
    `error: ${name} is not installed: npm left it out, or there is no proctor for this machine\n` +
      "hint: install again without --omit=optional; other machines build it: cargo install --locked " +
      "--git https://github.com/proctor-dev/proctor proctor\n",
  );
  process.exit(4);
}

const words = process.argv.slice(2);
// In its place where Node can do that: nothing is left in between.
if (typeof process.execve === "function") {
  try {
    process.removeAllListeners("warning");
    process.on("warning", () => {});
    process.execve(program, ["proctor", ...words], process.env);
  } catch {
    // As a child, then.
  }
}
const child = spawn(program, words, { stdio: "inherit" });
// A signal from the terminal reaches both: the child decides what comes of it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => signal === "SIGINT" || child.kill(signal));
}
child.on("error", (why) => {
  process.stderr.write(`error: ${program} can't be started: ${why.message}\n`);
  process.exit(4);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
