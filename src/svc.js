#!/usr/bin/env node
// The `svc` command: the built code when there is a build, else the sources through tsx.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
if (import.meta.url.includes('/dist/') || existsSync(built)) {
  await import(built.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./cli.ts', import.meta.url).href);
}
