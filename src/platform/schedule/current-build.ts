// Child processes start from the bundle, which loads in half the time of its modules. Loading TypeScript through tsx
// takes another second. `src/svc.cjs` follows the same rule.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CODE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE_FOLDER = join(CODE_FOLDER, '../dist/bundle');
const SOURCE_EXTENSION = '.ts';

/** Returns the module's bundle if the bundle is newer than the sources, otherwise the module. */
export function findStartFile(module: URL): string {
  const path = fileURLToPath(module);
  const bundle = join(BUNDLE_FOLDER, basename(path).replace(/\.ts$/, '.js'));
  const bundledAt = readModifiedTime(bundle);
  const changedAt =
    path.startsWith(CODE_FOLDER) && path.endsWith(SOURCE_EXTENSION) ? findNewestSourceTime() : readModifiedTime(path);
  return bundledAt > 0 && bundledAt >= changedAt ? bundle : path;
}

const readModifiedTime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const findNewestSourceTime = (): number =>
  readdirSync(CODE_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(SOURCE_EXTENSION) && !name.endsWith(`.test${SOURCE_EXTENSION}`))
    .reduce((newestTime, name) => Math.max(newestTime, readModifiedTime(join(CODE_FOLDER, name))), 0);
