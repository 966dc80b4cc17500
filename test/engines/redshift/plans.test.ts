// The plans of the suite in the words of Redshift, over a PostgreSQL that knows these (test/support/redshift.ts).
import { afterAll, beforeAll } from 'vitest';
import { connectionTo, startTestPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startTestRedshift, type TestRedshift } from '../../support/redshift.ts';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { redshiftStatements } from './redshift-tables.ts';

let postgres: TestPostgres;
let redshift: TestRedshift;
let stage: EngineStage;
beforeAll(async () => {
  postgres = await startTestPostgres();
  const url = await postgres.createDatabase(...redshiftStatements());
  redshift = await startTestRedshift(url);
  const connection = { ...connectionTo(url), kind: 'redshift', host: '127.0.0.1', port: redshift.port };
  stage = await openEngineStage(connection, 'shop.');
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await redshift?.close();
  await postgres?.stop();
});

planSuite(() => stage, {
  'the distinct values of each group as one text, and their number': /Remove distinct/,
});
