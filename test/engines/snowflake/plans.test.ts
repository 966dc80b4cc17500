import { afterAll, beforeAll } from 'vitest';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { snowflakeStatements } from './snowflake-tables.ts';
import { READER, startSnowflake, type TestSnowflake } from './start-snowflake.ts';

let snowflake: TestSnowflake;
let stage: EngineStage;
beforeAll(async () => {
  snowflake = await startSnowflake(...snowflakeStatements());
  const connection = {
    kind: 'snowflake',
    account: 'local',
    host: '127.0.0.1',
    port: snowflake.port,
    ssl: false,
    database: 'WORKSHOP',
    schema: 'SHOP',
    ...READER,
  };
  stage = await openEngineStage(connection, 'shop.');
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await snowflake?.stop();
});

planSuite(() => stage);
