#!/usr/bin/env node
// The `svc` command: the bundle if it is newer than every source (`npm ci` makes one), else the sources through tsx,
// which takes seconds longer to load. An installed package has its bundle; npm gives its files the time of the install.
// CommonJS, because a DuckDB statement occupies a thread of libuv's pool, and ES modules are loaded with that pool: its
// size would be settled by then.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { readdirSync, statSync } = require('node:fs');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const built = join(__dirname, '../dist/bundle/cli.js');
const INSTALLED = __dirname.split(sep).includes('node_modules');

function buildIsCurrent() {
  const made = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(__dirname, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return made > 0 && sources.every((name) => statSync(join(__dirname, name)).mtimeMs <= made);
}

async function run() {
  if (INSTALLED || buildIsCurrent()) return import(pathToFileURL(built).href);
  const { register } = await import('tsx/esm/api').catch(() => {
    console.error('The build in dist is missing or older than the sources. Run npm ci, then npm run build.');
    process.exit(1);
  });
  register();
  return import(pathToFileURL(join(__dirname, 'cli.ts')).href);
}
void run();
