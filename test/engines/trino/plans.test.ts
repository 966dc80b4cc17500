import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { READER, startTrino } from './start-trino.ts';
import { MEMORY, trinoStatements } from './trino-tables.ts';

const trino = await startTrino({ catalogs: { memory: MEMORY } });
for (const sql of trinoStatements()) await trino.owner(sql);
const connection = {
  kind: 'trino',
  host: '127.0.0.1',
  port: trino.port,
  catalog: 'memory',
  schema: 'shop',
  ...READER,
};
const stage = await openEngineStage(connection, 'shop.');

planSuite(stage, {
  'a median': /This warehouse has no median/,
  'the median of two decimals': /This warehouse has no median/,
});
