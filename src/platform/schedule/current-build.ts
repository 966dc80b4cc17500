// Selects the file that child processes and threads start from. A bundle loads in half the time that its separate
// modules take. Loading TypeScript through tsx takes another second. `svc` itself selects its file in the same way
// (src/svc.cjs).
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE_FOLDER = join(OWN_FOLDER, '../dist/bundle');
const SOURCE_EXTENSION = '.ts';

/** Returns the bundle of the module if it is current, otherwise the module. */
export function findStartFile(module: URL): string {
  const path = fileURLToPath(module);
  const bundle = join(BUNDLE_FOLDER, basename(path).replace(/\.ts$/, '.js'));
  const bundledAt = readModifiedTime(bundle);
  const changedAt =
    path.startsWith(OWN_FOLDER) && path.endsWith(SOURCE_EXTENSION) ? findNewestSourceTime() : readModifiedTime(path);
  return bundledAt > 0 && bundledAt >= changedAt ? bundle : path;
}

const readModifiedTime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const findNewestSourceTime = (): number =>
  readdirSync(OWN_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(SOURCE_EXTENSION) && !name.endsWith(`.test${SOURCE_EXTENSION}`))
    .reduce((newestTime, name) => Math.max(newestTime, readModifiedTime(join(OWN_FOLDER, name))), 0);
