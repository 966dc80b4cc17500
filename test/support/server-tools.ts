// An installed PostgreSQL with client tools of the same version, for backup and restore. The embedded one has neither
// pg_dump nor psql.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { untilFileEnds } from './until-file-ends.ts';

const CANDIDATES = ['18', '17', '16', '15'].map((major) => `/usr/lib/postgresql/${major}/bin`);
const NEEDED = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'];

/** The folder of the tools, or null if they aren't installed. */
export const serverTools = (): string | null =>
  CANDIDATES.find((folder) => NEEDED.every((tool) => existsSync(join(folder, tool)))) ?? null;

/**
 * The owner's URL of its maintenance database. If the tests run as root, the server runs as the user
 * postgres, because PostgreSQL refuses to run as root.
 */
export async function startOtherPostgres(tools: string): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const run = (tool: string, ...args: string[]) => {
    const command = [join(tools, tool), ...args];
    const [file, ...rest] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(file!, rest, { cwd: folder, stdio: 'ignore' });
  };
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'svc_owner', '--auth=trust', '--encoding=UTF8', '--no-sync');
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run('pg_ctl', '-D', data, '-w', '-o', settings, '-l', join(folder, 'log'), 'start');
  untilFileEnds(() => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop'));
  return `postgres://svc_owner:any@127.0.0.1:${port}/postgres`;
}
