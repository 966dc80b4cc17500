import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = `
  const { statSync } = await import('node:fs');
  const { getTemporaryFolder } = await import(process.argv[1]);
  if (process.argv[2]) process.env.TMPDIR = process.argv[2];
  const folder = getTemporaryFolder();
  console.log(JSON.stringify({ folder, readableByOthers: folder !== null && (statSync(folder).mode & 0o077) !== 0 }));
`;
const runScript = (...systemFolder: string[]) => {
  const module = new URL('./temporary-folder.ts', import.meta.url).href;
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT, module, ...systemFolder];
  return JSON.parse(String(spawnSync(process.execPath, args).stdout));
};

it('can be read only by its user, and exists as long as its process', () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const leftOver = join(tmpdir(), `svc-temporary-${ended}-test`);
  mkdirSync(join(leftOver, 'rows'), { recursive: true });
  const { folder, readableByOthers } = runScript();
  expect(readableByOthers).toBe(false);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(leftOver)).toBe(false);
});

it('does not exist if the system’s temporary folder isn’t writable', () => {
  expect(runScript(import.meta.filename)).toEqual({ folder: null, readableByOthers: false });
});
