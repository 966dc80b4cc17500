// From the words of Databricks, spoken by Spark behind a scripted client, and no lens, to a first verified answer.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { sparkStatements } from './spark-tables.ts';
import { startSpark, type TestSpark } from './start-spark.ts';

const CLIENT = fileURLToPath(new URL('scripted-client.cjs', import.meta.url));
const TOKEN = 'dapi-not-to-be-shown';
let spark: TestSpark;
let newcomer: Newcomer;
beforeAll(async () => {
  spark = await startSpark();
  for (const sql of sparkStatements(NEWCOMER_TABLES)) await spark.run(sql);
  newcomer = await openNewcomer(async (project) => {
    const place = join(project, 'node_modules', '@databricks', 'sql');
    await mkdir(place, { recursive: true });
    await cp(CLIENT, join(place, 'index.js'));
  });
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await spark?.stop();
});

const url = (place = 'spark_catalog/shop', { port = spark.port, query = '?http_path=/sql/1.0/warehouses/test' } = {}) =>
  `databricks://token:${TOKEN}@127.0.0.1:${port}/${place}${query}`;
newcomerSuite(() => newcomer, {
  url,
  secret: TOKEN,
  wrong: [
    {
      what: 'a port where nobody listens',
      url: () => url(undefined, { port: 1 }),
      says: /nothing listens on the host and port/,
    },
    { what: 'a URL without a warehouse', url: () => url(undefined, { query: '' }), says: /add \?http_path=/ },
    {
      what: 'a schema that is not there',
      url: () => url('spark_catalog/nowhere'),
      says: /no catalog or schema of the configured name/,
    },
  ],
});
