// Installs sqlglot, an independent translator of T-SQL, and the Windows names of time zones.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';

const PACKAGES = ['sqlglot==30.30.0', 'tzlocal==5.4.5'];
const PLACE = 'sqlserver-venv';
export const PYTHON = join(ENGINES_FOLDER, PLACE, 'bin', 'python');

/** Returns the reason why it isn't available, or null. */
export async function installSqlglot(): Promise<string | null> {
  if (isThere(join(PLACE, 'installed'))) return null;
  const tryRun = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { stdio: 'inherit' }).status === 0;
  if (!tryRun('python3', ['-m', 'venv', join(ENGINES_FOLDER, PLACE)])) return 'Python 3 with venv is not there';
  if (!tryRun(PYTHON, ['-m', 'pip', 'install', '-q', ...PACKAGES]))
    return `${PACKAGES.join(' and ')} could not be installed`;
  return tryRun('touch', [join(ENGINES_FOLDER, PLACE, 'installed')]) ? null : 'the folder can not be written';
}
