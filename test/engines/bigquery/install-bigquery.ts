// Installs GoogleSQL's analyzer and reference implementation, a WebAssembly package from PyPI, in its own virtual
// environment.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';

const GOOGLESQL = 'zetasql==0.1.5';
const ENVIRONMENT = 'bigquery-python';
const READY = join(ENVIRONMENT, 'installed');
export const ENVIRONMENT_PYTHON = join(ENGINES_FOLDER, ENVIRONMENT, 'bin', 'python');

export function installBigquery(): string | null {
  if (isThere(READY)) return null;
  const run = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args, { stdio: 'inherit', cwd: ENGINES_FOLDER }).status === 0;
  if (!run('python3', '-c', 'import sys; assert sys.version_info >= (3, 10)'))
    return `${GOOGLESQL} needs Python 3.10 or later as python3`;
  const isInstalled =
    run('python3', '-m', 'venv', '--clear', ENVIRONMENT) &&
    run(ENVIRONMENT_PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', GOOGLESQL) &&
    run('touch', READY);
  return isInstalled ? null : `${GOOGLESQL} could not be installed`;
}
