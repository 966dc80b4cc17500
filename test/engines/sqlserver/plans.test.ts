// The plans of the suite in T-SQL, by tedious over the wire of a SQL Server, behind which sqlglot and DuckDB say what they mean.
import { afterAll, beforeAll } from 'vitest';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';
import type { TdsServer } from './tds-server.ts';

let server: TdsServer;
let stage: EngineStage;
beforeAll(async () => {
  server = await startSqlserver();
  const connection = {
    kind: 'sqlserver',
    host: '127.0.0.1',
    port: server.port,
    database: 'shop',
    user: 'svc',
    password: PASSWORD,
  };
  stage = await openEngineStage(connection, 'shop.');
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await server?.stop();
});

planSuite(() => stage, { 'a median': /knows no median/ });
