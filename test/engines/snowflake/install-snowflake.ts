// The fakesnow emulator in its own Python environment, if a suitable Python is installed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';

// fakesnow imports a module that version 5 of its dependency removed.
const PACKAGES = ['fakesnow[server]==0.12.1', 'snowflake-connector-python==4.8.1'];
const FOLDER = 'fakesnow';
const INSTALLED = join(FOLDER, 'svc-installed');
/** The Python of the engines folder. */
export const PYTHON = join(FOLDER, 'bin', 'python');

export function installFakesnow(): string | null {
  if (isThere(INSTALLED)) return null;
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { stdio: 'inherit', cwd: ENGINES_FOLDER }).status === 0;
  const right = 'import sys, venv; sys.exit(sys.version_info < (3, 11))';
  if (!run('python3', ['-c', right])) return 'fakesnow needs Python 3.11 or later with venv, which is not installed';
  const isInstalled =
    run('python3', ['-m', 'venv', FOLDER]) &&
    run(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]) &&
    run(PYTHON, ['-c', `open('${INSTALLED}', 'w').close()`]);
  return isInstalled ? null : `${PACKAGES.join(' and ')} could not be installed`;
}
