// What svc is measured against: the driver in a bare Fastify route, in a process of its own. It neither authenticates,
// nor guards, nor signs, nor writes a trace. Tables come as JSON in BARE_TABLES: name -> select.
import { DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';

const tables = JSON.parse(process.env['BARE_TABLES'] ?? '{}') as Record<string, string>;
const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
for (const [name, select] of Object.entries(tables)) await connection.run(`create table ${name} as ${select}`);
const app = Fastify();
app.post<{ Body: { sql: string } }>('/bare', async ({ body }) =>
  (await connection.runAndReadAll(body.sql)).getRowObjectsJson(),
);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
