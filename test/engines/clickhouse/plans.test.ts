import { afterAll, beforeAll } from 'vitest';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse, type TestClickhouse } from './start-clickhouse.ts';

let clickhouse: TestClickhouse;
let stage: EngineStage;
beforeAll(async () => {
  clickhouse = await startTestClickhouse(clickhouseStatements());
  const connection = { kind: 'clickhouse', host: '127.0.0.1', port: clickhouse.port, database: DATABASE, ...READER };
  stage = await openEngineStage(connection, `${DATABASE}.`);
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await clickhouse?.stop();
});

planSuite(() => stage, {
  'the values of each group as one text, some of them only, and their number': /List the values without measures/,
  'the distinct values of each group as one text, and their number': /List the values without measures/,
});
