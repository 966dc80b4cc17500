// The fakesnow emulator in a Python environment of its own, where a Python is there that runs it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';

// It imports what its own dependency no longer has in version 5.
const PACKAGES = ['fakesnow[server]==0.12.1', 'snowflake-connector-python==4.8.1'];
const FOLDER = 'fakesnow';
const INSTALLED = join(FOLDER, 'svc-installed');
/** In the engines' folder. */
export const PYTHON = join(FOLDER, 'bin', 'python');

export function installFakesnow(): string | null {
  if (isThere(INSTALLED)) return null;
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { stdio: 'inherit', cwd: ENGINES_FOLDER }).status === 0;
  const right = 'import sys, venv; sys.exit(sys.version_info < (3, 11))';
  if (!run('python3', ['-c', right])) return 'fakesnow needs Python 3.11 or later with venv, which is not installed';
  const done =
    run('python3', ['-m', 'venv', FOLDER]) &&
    run(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]) &&
    run(PYTHON, ['-c', `open('${INSTALLED}', 'w').close()`]);
  return done ? null : `${PACKAGES.join(' and ')} could not be installed`;
}
