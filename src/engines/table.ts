// The engines that svc includes, one line for each folder.
export { bigquery } from './bigquery/engine.ts';
export { clickhouse } from './clickhouse/engine.ts';
export { databricks } from './databricks/engine.ts';
export { duckdb } from './duckdb/engine.ts';
export { mysql } from './mysql/engine.ts';
export { postgres } from './postgres/engine.ts';
export { redshift } from './redshift/engine.ts';
export { snowflake } from './snowflake/engine.ts';
export { sqlserver } from './sqlserver/engine.ts';
export { trino } from './trino/engine.ts';
