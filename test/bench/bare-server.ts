// The baseline for svc: the drivers in a bare Fastify route, in a separate process, without authentication, guard,
// signature or trace. BARE_TABLES holds the DuckDB tables as JSON (name -> select). BARE_POSTGRES is the address of a
// PostgreSQL server, with as many connections as svc has.
import { DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import pg from 'pg';
import { DEFAULT_SERVER_CONCURRENCY } from '../../src/engines/limits.ts';

const tables = JSON.parse(process.env['BARE_TABLES'] ?? '{}') as Record<string, string>;
const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
for (const [name, select] of Object.entries(tables)) await connection.run(`create table ${name} as ${select}`);
const pool = new pg.Pool({ connectionString: process.env['BARE_POSTGRES'], max: DEFAULT_SERVER_CONCURRENCY });
const app = Fastify();
app.post<{ Body: { sql: string } }>('/bare', async ({ body }) =>
  (await connection.runAndReadAll(body.sql)).getRowObjectsJson(),
);
app.post<{ Body: { sql: string } }>('/bare-postgres', async ({ body }) => (await pool.query(body.sql)).rows);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
