// The plans of the suite in the words of Redshift, over a PostgreSQL that knows these (test/support/redshift.ts).
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { connectionTo, startTestPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startTestRedshift, type TestRedshift } from '../../support/redshift.ts';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { statementsFor, valueText } from '../tables.ts';

let postgres: TestPostgres;
let redshift: TestRedshift;
let stage: EngineStage;
beforeAll(async () => {
  postgres = await startTestPostgres();
  const url = await postgres.createDatabase();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const types: Record<string, string> = { double: 'double precision', text: 'varchar(300)', timestamp: 'timestamptz' };
  const statements = statementsFor({
    table: (name) => `shop.${name}`,
    type: (type) => types[type] ?? type,
    value: (cell, type) => (type === 'timestamp' && cell !== null ? `'${cell}+00'` : valueText(cell)),
  });
  for (const sql of ['create schema shop', ...statements]) await owner.query(sql);
  await owner.end();
  redshift = await startTestRedshift(url);
  const connection = { ...connectionTo(url), kind: 'redshift', host: '127.0.0.1', port: redshift.port };
  stage = await openEngineStage(connection, 'shop.');
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await redshift?.close();
  await postgres?.stop();
});

planSuite(() => stage);
