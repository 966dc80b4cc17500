#!/usr/bin/env node
// Runs the bundle if it is newer than every source, otherwise the sources through tsx, which takes seconds longer to
// load. An installed package always runs its bundle, because npm sets the time of its files to the time of the
// installation.
// This file is CommonJS, because Node.js reads the thread pool size only once, and loading ES modules already uses the
// pool. svc needs a larger pool, because each DuckDB statement occupies a thread.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { readdirSync, statSync } = require('node:fs');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const bundle = join(__dirname, '../dist/bundle/cli.js');
const IS_INSTALLED = __dirname.split(sep).includes('node_modules');

function isBundleCurrent() {
  const bundledAt = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(__dirname, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return bundledAt > 0 && sources.every((name) => statSync(join(__dirname, name)).mtimeMs <= bundledAt);
}

async function runCli() {
  if (IS_INSTALLED || isBundleCurrent()) return import(pathToFileURL(bundle).href);
  const { register } = await import('tsx/esm/api').catch(() => {
    console.error('The build in dist is missing or older than the sources. Run npm ci, then npm run build.');
    process.exit(1);
  });
  register();
  return import(pathToFileURL(join(__dirname, 'cli.ts')).href);
}
void runCli();
