import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Returns the statements of load/*.sql and load/*.sql.gz, in file order. */
export async function readSuiteLoadStatements(suite: string): Promise<{ name: string; sql: string }[]> {
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
