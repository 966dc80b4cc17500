// Kind `files`: a DuckDB file built from CSV, JSON and Parquet files. Its name holds the fingerprint of its sources, it
// appears by rename, and what exists is complete: any number of processes may build, read and replace at once.
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { fileSelectFault } from '../../guard/duckdb/check-file-select.ts';
import { Problem } from '../../platform/problem.ts';
import { withBuildLock } from './build-lock.ts';
import { exactSource } from './exact-decimals.ts';
import { redact } from './faults.ts';
import { builtWarehouses, type FileRoots, locateFile, stampOf } from './project-files.ts';

export type SourceFiles = Record<string, { path: string; select?: string | undefined }>;

const FORMAT = 'v2'; // of what we build: raise it to have every warehouse rebuilt
const READERS: [RegExp, string, string][] = [
  [/\.(csv|tsv|txt)(\.gz|\.zst)?$/i, 'read_csv', ', sample_size = -1'],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, 'read_json', ', sample_size = -1'],
  [/\.parquet$/i, 'read_parquet', ''],
];
const DEFAULT_SELECT = 'select * from source';

interface Source {
  table: string;
  path: string;
  real: string;
  select: string;
  reader: string;
}

/** Paths, sizes, times and selects as one hash. Throws the same Problems as building. */
export async function fingerprintOfFiles(files: SourceFiles, roots: FileRoots): Promise<string> {
  return fingerprint(await locateSources(files, roots));
}

/** The built warehouse's path. `owner` (organization and connection) is whose older builds are removed. */
export async function buildDuckDbFiles(files: SourceFiles, roots: FileRoots, owner: string): Promise<string> {
  const sources = await locateSources(files, roots);
  const folder = builtWarehouses(roots);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const prefix = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  const target = join(folder, `${prefix}-${await fingerprint(sources)}.duckdb`);
  if (await exists(target)) return target;
  await withBuildLock(join(folder, `${prefix}.lock`), async () => {
    if (await exists(target)) return;
    const leftovers = (await readdir(folder)).filter(
      (name) => name.startsWith(`${prefix}-`) && name !== basename(target),
    );
    const unfinished = join(folder, `${prefix}-${randomUUID()}.building`);
    try {
      await build(unfinished, sources);
      await rename(unfinished, target);
    } finally {
      await rm(unfinished, { force: true });
      await rm(`${unfinished}.wal`, { force: true });
    }
    // Whoever has an older one open keeps reading it: its name goes, its content stays until they close it.
    await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })));
  });
  return target;
}

async function locateSources(files: SourceFiles, roots: FileRoots): Promise<Source[]> {
  const located = await Promise.allSettled(
    Object.entries(files).map(async ([table, { path, select }]): Promise<Source> => {
      const format = READERS.find(([pattern]) => pattern.test(path));
      if (!format)
        throw new Problem('invalid', `The file "${path}" must end in .csv, .tsv, .json, .jsonl, .ndjson or .parquet.`);
      const real = await locateFile(path, roots);
      const reader = `${format[1]}(${literal(real)}${format[2]})`;
      return { table, path, real, select: select ?? DEFAULT_SELECT, reader };
    }),
  );
  const faults = located.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  if (faults.length === 0) return located.map((one) => (one as PromiseFulfilledResult<Source>).value);
  const [first] = faults;
  if (faults.length === 1 || !(first instanceof Problem)) throw first;
  throw new Problem(first.code, faults.map((fault) => fault.message).join(' '));
}

async function fingerprint(sources: Source[]): Promise<string> {
  const parts = await Promise.all(
    sources.map(async ({ table, real, select, reader }) => [table, real, await stampOf(real), select, reader]),
  );
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, parts]))
    .digest('hex')
    .slice(0, 24);
}

async function build(path: string, sources: Source[]): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path, {
    threads: '2',
    memory_limit: '1GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    // The selects are text from a project: they may read the files named beside them, and nothing else.
    await connection.run(`set allowed_paths = [${sources.map(({ real }) => literal(real)).join(', ')}]`);
    await connection.run(
      "set global TimeZone = 'UTC'; set enable_external_access = false; set lock_configuration = true",
    );
    const tables = sources.map(({ table }) => table);
    for (const source of sources) await buildTable(connection, source, tables);
    await connection.run('checkpoint');
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

async function buildTable(
  connection: DuckDB.DuckDBConnection,
  { table, path, real, select, reader }: Source,
  tables: string[],
): Promise<void> {
  const fault = (what: string, cause?: unknown) => {
    const reason =
      cause instanceof Error && /^(Binder|Parser|Catalog) Error/.test(cause.message) ? ` ${redact(cause.message)}` : '';
    return new Problem('invalid', `Table "${table}": ${what}${reason}`, { cause, detail: redact(String(cause)) });
  };
  const attempt = (what: string, sql: string) =>
    connection.run(sql).catch((cause: unknown) => {
      throw fault(what, cause);
    });
  const beyond = select === DEFAULT_SELECT ? null : await fileSelectFault(select, tables);
  if (beyond) throw fault(`its select may not use ${beyond}; it reads \`source\` and calls what SQL of callers may.`);
  const view = 'create or replace temp view source as from';
  const exact = await exactSource(connection, real, reader);
  await attempt(`the file "${path}" can't be read as its ending says.`, `${view} ${exact ?? reader}`);
  const prepared = await connection.prepare(select).catch((cause: unknown) => {
    throw fault('its select does not work over the file.', cause);
  });
  if (prepared.statementType !== 1) throw fault('its select must be one SELECT over `source`.');
  await attempt('its select failed on a row of the file.', `create table main."${table}" as ${select}`);
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
