// The server resolves paths relative to its project folder, and the command relative to its working directory.
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { FILES_KIND } from '../contract/files/config-file.ts';
import { toSnakeCase } from '../lens/model/name-words.ts';
import type { NamedConnection } from './connection-url.ts';
import { Failure } from './terminal/failure.ts';

const DATABASE_FILE_PATTERN = /\.(duckdb|ddb|db)$/i;
const DATA_FILE_PATTERN = /\.(csv|tsv|json|jsonl|ndjson|parquet)(\.gz|\.zst)?$/i;

/** Null if the argument is a connection name. A path has a separator or the extension of a data file. */
export async function readDataPath(dataPath: string): Promise<NamedConnection | null> {
  if (!/[/\\]|^\.+$/.test(dataPath) && !DATABASE_FILE_PATTERN.test(dataPath) && !DATA_FILE_PATTERN.test(dataPath))
    return null;
  const pathStats = await stat(dataPath).catch(() => null);
  if (!pathStats) throw new Failure(`There is no file or folder ${dataPath}.`, 2);
  const name = toConnectionName(dataPath);
  if (pathStats.isFile() && DATABASE_FILE_PATTERN.test(dataPath))
    return { name, config: { kind: FILES_KIND, path: findRelativePath(dataPath) } };
  const paths = pathStats.isDirectory()
    ? (await readdir(dataPath)).filter((file) => DATA_FILE_PATTERN.test(file)).map((file) => join(dataPath, file))
    : DATA_FILE_PATTERN.test(dataPath)
      ? [dataPath]
      : [];
  if (paths.length === 0)
    throw new Failure(
      `${dataPath} has no data files. Give a .duckdb file, or a folder with .csv, .tsv, .json, .jsonl or .parquet files.`,
      2,
    );
  const files: Record<string, { path: string }> = {};
  for (const path of paths.sort()) {
    const table = toConnectionName(path);
    let uniqueName = table;
    for (let n = 2; uniqueName in files; n++) uniqueName = `${table}_${n}`;
    files[uniqueName] = { path: findRelativePath(path) };
  }
  return { name, config: { kind: FILES_KIND, files } };
}

/** Only letters, digits and "_" are allowed in the names of connections, tables and lenses. */
function toConnectionName(path: string): string {
  const stem = basename(path).replace(DATABASE_FILE_PATTERN, '').replace(DATA_FILE_PATTERN, '');
  return (
    toSnakeCase(stem)
      .replace(/^[^a-z]+/, '')
      .slice(0, 40) || 'files'
  );
}

function findRelativePath(path: string): string {
  const localPath = relative(process.cwd(), path);
  if (localPath.startsWith('..'))
    throw new Failure(
      `${path} is outside the project folder. The server reads files only inside its project folder. Copy the data to ` +
        `${process.cwd()}, and give its new path.`,
      2,
    );
  return `.${sep}${localPath}`;
}
