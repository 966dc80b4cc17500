import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { snowflakeStatements } from './snowflake-tables.ts';
import { READER, startSnowflake } from './start-snowflake.ts';

const snowflake = await startSnowflake(...snowflakeStatements());
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
const stage = await openEngineStage(connection, 'shop.');

// Snowflake's median of decimals has three more decimal places than the values; the emulator's has none.
planSuite(stage, { 'the median of two decimals': null });
