// Processes and threads that start from sources load them through tsx, which takes a second. Where `npm ci` left a build
// that is newer than every source, they start from that instead, as `svc` itself does (src/svc.cjs).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));
const ENDING = '.ts';

/** The file to start: the build of a source if it is current, else the source itself. */
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
