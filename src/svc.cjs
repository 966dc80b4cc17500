#!/usr/bin/env node
// The `svc` command: the built code when there is a build, else the sources through tsx. CommonJS, because a DuckDB
// statement occupies a thread of libuv's pool, and ES modules are loaded with that pool: its size would be settled by then.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

async function run() {
  const built = join(__dirname, '../dist/cli.js');
  if (existsSync(built)) return import(pathToFileURL(built).href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(pathToFileURL(join(__dirname, 'cli.ts')).href);
}
void run();
