// Child processes and threads started from TypeScript load through tsx, which takes a second. If the build is newer than
// every source file, they start from the build instead, as `svc` itself does (src/svc.cjs).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));
const ENDING = '.ts';

/** The file to start: the built file if it is current, otherwise the source. */
export function fileToStart(module: URL): string {
  const path = fileURLToPath(module);
  if (!path.endsWith(ENDING) || !path.startsWith(SOURCES)) return path;
  const built = join(SOURCES, '../dist', path.slice(SOURCES.length).replace(/\.ts$/, '.js'));
  const made = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return made > newestSource() ? built : path;
}

const newestSource = (): number =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ENDING) && !name.endsWith(`.test${ENDING}`))
    .reduce((newest, name) => Math.max(newest, statSync(join(SOURCES, name)).mtimeMs), 0);
