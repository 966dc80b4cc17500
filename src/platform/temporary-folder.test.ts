import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = `
  const { statSync } = await import('node:fs');
  const { temporaryFolder } = await import(process.argv[1]);
  const folder = temporaryFolder();
  console.log(JSON.stringify({ folder, readableByOthers: (statSync(folder).mode & 0o077) !== 0 }));
`;

it('is readable by its user only, and exists as long as its process', () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const leftOver = join(tmpdir(), `svc-temporary-${ended}-test`);
  mkdirSync(join(leftOver, 'rows'), { recursive: true });
  const module = new URL('./temporary-folder.ts', import.meta.url).href;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT, module]);
  const { folder, readableByOthers } = JSON.parse(String(run.stdout));
  expect(readableByOthers).toBe(false);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(leftOver)).toBe(false);
});
