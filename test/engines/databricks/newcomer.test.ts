// A new Databricks project without a lens gets its first verified answer. Spark runs the SQL behind a scripted client.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { sparkStatements } from './spark-tables.ts';
import { startSpark } from './start-spark.ts';

const CLIENT = fileURLToPath(new URL('scripted-client.cjs', import.meta.url));
const TOKEN = 'dapi-not-to-be-shown';
const spark = await startSpark();
for (const sql of sparkStatements(NEWCOMER_TABLES)) await spark.run(sql);
const newcomer = await openNewcomer(async (project) => {
  const place = join(project, 'node_modules', '@databricks', 'sql');
  await mkdir(place, { recursive: true });
  await cp(CLIENT, join(place, 'index.js'));
});

const url = (place = 'spark_catalog/shop', { port = spark.port, query = '?http_path=/sql/1.0/warehouses/test' } = {}) =>
  `databricks://token:${TOKEN}@127.0.0.1:${port}/${place}${query}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: TOKEN,
  wrong: {
    'a port without a listener': url(undefined, { port: 1 }),
    'a URL without a warehouse': [url(undefined, { query: '' }), /add \?http_path=/],
    'a missing schema': [url('spark_catalog/nowhere'), /no catalog or schema with the configured name/],
  },
});
