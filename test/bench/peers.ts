// Tools that svc is compared with. They are installed in their own folder, not in the project, and kept for the next
// run. If one can't be installed, the report gives the reason and omits its comparison.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = join(tmpdir(), 'svc-bench-peers');
const PATIENCE_MS = 600_000;

export interface Peer {
  name: string;
  packages: Record<string, string>;
  overrides?: Record<string, string>;
}

export const DBHUB: Peer = { name: 'dbhub', packages: { '@bytebase/dbhub': '0.21.2' } };
export const TOOLBOX: Peer = { name: 'toolbox', packages: { '@toolbox-sdk/server': '1.12.0' } };
export const MALLOY: Peer = {
  name: 'malloy',
  packages: { '@malloydata/malloy': '0.0.431', '@malloydata/db-duckdb': '0.0.431' },
  // Otherwise, npm would pick a development build that lacks files.
  overrides: { antlr4ts: '0.5.0-alpha.4' },
};

/** The folder of the installed tool, or the reason why it is missing. */
export async function install({ name, packages, overrides }: Peer): Promise<{ folder: string } | { missing: string }> {
  const folder = join(FOLDER, name);
  const manifest = JSON.stringify({ private: true, dependencies: packages, overrides }, null, 2);
  const done = join(folder, 'installed.json');
  if (existsSync(done) && (await readFile(done, 'utf8')) === manifest) return { folder };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  try {
    await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, timeout: PATIENCE_MS });
  } catch (fault) {
    return { missing: `${Object.keys(packages).join(', ')}: ${(fault as Error).message.split('\n')[0]}` };
  }
  await writeFile(done, manifest);
  return { folder };
}
