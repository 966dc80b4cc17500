// Finds an installed Java that can run the engines of the suites.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const TRINO = '476';
export const TRINO_FOLDER = `trino-server-${TRINO}`;
const OLDEST_JAVA = 24;
const INSTALLED = '/usr/lib/jvm';

/** Null if no installed version is recent enough. */
export const javaForTrino = (): string | null => javaSince(OLDEST_JAVA);

export function javaSince(oldest: number): string | null {
  const homes = [
    process.env['JAVA_HOME'],
    ...(existsSync(INSTALLED) ? readdirSync(INSTALLED).map((name) => join(INSTALLED, name)) : []),
  ];
  const commands = [...homes.flatMap((home) => (home ? [join(home, 'bin', 'java')] : [])), 'java'];
  return commands.find((command) => versionOf(command) >= oldest) ?? null;
}

function versionOf(command: string): number {
  const { stderr } = spawnSync(command, ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}
