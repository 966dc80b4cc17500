import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse } from './start-clickhouse.ts';

const clickhouse = await startTestClickhouse(clickhouseStatements());
const connection = { kind: 'clickhouse', host: '127.0.0.1', port: clickhouse.port, database: DATABASE, ...READER };
const stage = await openEngineStage(connection, `${DATABASE}.`);

planSuite(stage, {
  'the values of each group as one text, some of them only, and their number': /List the values without measures/,
  'the distinct values of each group as one text, and their number': /List the values without measures/,
});
