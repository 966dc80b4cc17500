import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { BIGQUERY_TABLES } from './bigquery-tables.ts';
import { DATASET, PROJECT, startBigquery } from './start-bigquery.ts';

const bigquery = await startBigquery(BIGQUERY_TABLES);
const connection = { kind: 'bigquery', project: PROJECT, dataset: DATASET, host: '127.0.0.1', port: bigquery.port };
const stage = await openEngineStage(connection, `${DATASET}.`);

planSuite(stage, {
  'a median': /This warehouse has no median/,
  'the median of two decimals': /This warehouse has no median/,
  'the values of each group as one text, some of them only, and their number': /List the values without measures/,
  'the distinct values of each group as one text, and their number': /List the values without measures/,
});
