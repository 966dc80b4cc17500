// Builds DuckDB files from the files of a connection. The name of a built file contains a fingerprint of its sources.
// svc gives the file this name after the build, so a file with this name is complete.
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Problem } from '../../../platform/problem.ts';
import type { BuildLimits, FileRoots } from '../../engine.ts';
import { BUILD_LIMITS } from '../../limits.ts';
import { quoteText } from '../dialect/write-names.ts';
import { withBuildLock } from './build-lock.ts';
import { DEFAULT_SELECT, type TableSource } from './build-tables.ts';
import { type FileRootsOfOwner, findBuiltWarehousesFolder, locateFile, readFileStamp } from './connection-files.ts';
import { buildInWorker } from './worker-process.ts';

export type SourceFiles = Record<string, { path: string; select?: string | undefined }>;

const BUILT_FILE_FORMAT_VERSION = 'v4'; // increase this version to rebuild all files
const FILE_READERS: [RegExp, string, string][] = [
  [/\.(csv|tsv|txt)(\.gz|\.zst)?$/i, 'read_csv', ', sample_size = -1'],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, 'read_json', ', sample_size = -1'],
  [/\.parquet$/i, 'read_parquet', ''],
];

/** Throws if a file is missing or forbidden. */
export async function computeFingerprintOfFiles(files: SourceFiles, roots: FileRootsOfOwner): Promise<string> {
  return computeFingerprint(await locateSources(files, roots));
}

/** Returns the path of the built file, and removes older builds for the same `owner` (organization and connection). */
export async function buildDuckDbFiles(
  files: SourceFiles,
  roots: FileRoots,
  owner: string,
  limits: BuildLimits = BUILD_LIMITS,
): Promise<string> {
  const sources = await locateSources(files, { ...roots, owner });
  const folder = findBuiltWarehousesFolder(roots);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const prefix = hashFilePrefix(owner);
  const target = join(folder, `${prefix}-${await computeFingerprint(sources)}.duckdb`);
  if (await fileExists(target)) return target;
  await withBuildLock(join(folder, `${prefix}.lock`), async () => {
    if (await fileExists(target)) return;
    const olderBuilds = (await readdir(folder)).filter(
      (name) => name.startsWith(`${prefix}-`) && name !== basename(target),
    );
    const unfinishedFile = join(folder, `${prefix}-${randomUUID()}.building`);
    try {
      await buildInWorker({ owner, path: unfinishedFile, sources, limits });
      await rename(unfinishedFile, target);
    } finally {
      for (const suffix of ['', '.wal', '.tmp'])
        await rm(`${unfinishedFile}${suffix}`, { force: true, recursive: true });
    }
    // A process that has an older build open can still read it, because deleting a file removes only its name.
    await Promise.all(olderBuilds.map((name) => rm(join(folder, name), { force: true, recursive: true })));
  });
  return target;
}

export async function removeDuckDbFiles(roots: FileRoots, owner: string): Promise<void> {
  const folder = findBuiltWarehousesFolder(roots);
  const names = await readdir(folder).catch(() => []);
  const builtFiles = names.filter((name) => name.startsWith(`${hashFilePrefix(owner)}-`));
  await Promise.all(builtFiles.map((name) => rm(join(folder, name), { force: true, recursive: true })));
}

const hashFilePrefix = (owner: string): string => createHash('sha256').update(owner).digest('hex').slice(0, 16);

async function locateSources(files: SourceFiles, roots: FileRootsOfOwner): Promise<TableSource[]> {
  const locations = await Promise.allSettled(
    Object.entries(files).map(async ([table, { path, select }]): Promise<TableSource> => {
      const format = FILE_READERS.find(([pattern]) => pattern.test(path));
      if (!format)
        throw new Problem(
          'invalid',
          `The file "${path}" must end in .parquet, or in .csv, .tsv, .txt, .json, .jsonl or .ndjson, which .gz or .zst can follow.`,
        );
      const realPath = await locateFile(path, roots);
      const reader = `${format[1]}(${quoteText(realPath)}${format[2]})`;
      return { table, path, realPath: realPath, select: select ?? DEFAULT_SELECT, reader };
    }),
  );
  const faults = locations.flatMap((item) => (item.status === 'rejected' ? [item.reason as Error] : []));
  if (faults.length === 0) return locations.map((item) => (item as PromiseFulfilledResult<TableSource>).value);
  const [firstFault] = faults;
  if (faults.length === 1 || !(firstFault instanceof Problem)) throw firstFault;
  throw new Problem(firstFault.code, faults.map((fault) => fault.message).join(' '));
}

/**
 * Returns a fingerprint that doesn't depend on the order of the files, because a stored connection doesn't keep this
 * order.
 */
async function computeFingerprint(sources: TableSource[]): Promise<string> {
  const parts = await Promise.all(
    [...sources]
      .sort(compareByTable)
      .map(async ({ table, realPath, select, reader }) => [
        table,
        realPath,
        await readFileStamp(realPath),
        select,
        reader,
      ]),
  );
  return createHash('sha256')
    .update(JSON.stringify([BUILT_FILE_FORMAT_VERSION, parts]))
    .digest('hex')
    .slice(0, 24);
}

const compareByTable = (a: TableSource, b: TableSource): number => (a.table < b.table ? -1 : 1);

async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
