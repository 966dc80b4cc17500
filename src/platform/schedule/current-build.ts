// Selects the file that child processes and threads start from. Starting TypeScript through tsx takes a second, so svc
// starts them from the build if it is newer than every source file. `svc` itself does the same (src/svc.cjs).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE_EXTENSION = '.ts';

/** Returns the file in the build if the build is current, otherwise the source file. */
export function startFileOf(module: URL): string {
  const path = fileURLToPath(module);
  if (!path.endsWith(SOURCE_EXTENSION) || !path.startsWith(SOURCE_FOLDER)) return path;
  const built = join(SOURCE_FOLDER, '../dist', path.slice(SOURCE_FOLDER.length).replace(/\.ts$/, '.js'));
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtAt > newestSourceTime() ? built : path;
}

const newestSourceTime = (): number =>
  readdirSync(SOURCE_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(SOURCE_EXTENSION) && !name.endsWith(`.test${SOURCE_EXTENSION}`))
    .reduce((newestTime, name) => Math.max(newestTime, statSync(join(SOURCE_FOLDER, name)).mtimeMs), 0);
