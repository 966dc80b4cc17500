import { afterAll, beforeAll } from 'vitest';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { READER, startTrino, type TestTrino } from './start-trino.ts';
import { MEMORY, trinoStatements } from './trino-tables.ts';

let trino: TestTrino;
let stage: EngineStage;
beforeAll(async () => {
  trino = await startTrino({ catalogs: { memory: MEMORY } });
  for (const sql of trinoStatements()) await trino.owner(sql);
  const connection = {
    kind: 'trino',
    host: '127.0.0.1',
    port: trino.port,
    catalog: 'memory',
    schema: 'shop',
    ...READER,
  };
  stage = await openEngineStage(connection, 'shop.');
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await trino?.stop();
});

planSuite(() => stage, { 'a median': /This warehouse has no median/ });
