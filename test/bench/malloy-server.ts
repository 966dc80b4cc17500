// Malloy in a bare Fastify route over the same DuckDB tables. MALLOY_FOLDER is the folder where it is installed. The
// model is compiled once.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Fastify from 'fastify';

interface Connection {
  runSQL(sql: string): Promise<unknown>;
}
interface Query {
  getSQL(): Promise<string>;
}
interface Runtime {
  loadModel(source: string): { getModel(): Promise<unknown>; loadQuery(query: string): Query };
}

const require = createRequire(join(process.env['MALLOY_FOLDER']!, 'package.json'));
const { SingleConnectionRuntime } = require('@malloydata/malloy') as {
  SingleConnectionRuntime: new (options: { connection: Connection }) => Runtime;
};
const { DuckDBConnection } = require('@malloydata/db-duckdb') as {
  DuckDBConnection: new (name: string) => Connection;
};

const MODEL = `source: orders is duckdb.table('orders') extend {
  primary_key: row_id
  measure: revenue is sales.sum()
  measure: units is quantity.sum()
  measure: order_count is count(order_id)
}`;

const connection = new DuckDBConnection('duckdb');
const tables = JSON.parse(process.env['BARE_TABLES'] ?? '{}') as Record<string, string>;
await connection.runSQL(`create table orders as ${tables['orders']}`);
const model = new SingleConnectionRuntime({ connection }).loadModel(MODEL);
await model.getModel();

const app = Fastify();
app.post<{ Body: { query: string } }>('/malloy', async ({ body }) => {
  const startedAt = performance.now();
  const sql = await model.loadQuery(body.query).getSQL();
  const compiled = performance.now();
  const rows = await connection.runSQL(sql);
  return { sql, rows, compile_ms: compiled - startedAt, run_ms: performance.now() - compiled };
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
