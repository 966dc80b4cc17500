// Child processes and threads started from TypeScript load through tsx, which takes a second. If the build is newer than
// every source file, they start from the build instead, as `svc` itself does (src/svc.cjs).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE_EXTENSION = '.ts';

/** The file to start: the built file if it is current, otherwise the source. */
export function fileToStart(module: URL): string {
  const path = fileURLToPath(module);
  if (!path.endsWith(SOURCE_EXTENSION) || !path.startsWith(SOURCE_FOLDER)) return path;
  const built = join(SOURCE_FOLDER, '../dist', path.slice(SOURCE_FOLDER.length).replace(/\.ts$/, '.js'));
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtAt > newestSource() ? built : path;
}

const newestSource = (): number =>
  readdirSync(SOURCE_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(SOURCE_EXTENSION) && !name.endsWith(`.test${SOURCE_EXTENSION}`))
    .reduce((newest, name) => Math.max(newest, statSync(join(SOURCE_FOLDER, name)).mtimeMs), 0);
