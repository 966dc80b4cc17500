import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Reads the statements that fill a suite's database, in file order: `load/*.sql`, or compressed `load/*.sql.gz`. */
export async function readSuiteLoad(suite: string): Promise<{ name: string; sql: string }[]> {
  const names = (await readdir(join(suite, 'load')).catch(() => []))
    .filter((name) => /\.sql(\.gz)?$/.test(name))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(suite, 'load', name));
      return { name, sql: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8') };
    }),
  );
}
