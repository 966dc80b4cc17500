// The engines that svc includes, one line for each folder.
export { bigqueryEngine as bigquery } from './bigquery/engine.ts';
export { clickhouseEngine as clickhouse } from './clickhouse/engine.ts';
export { databricksEngine as databricks } from './databricks/engine.ts';
export { duckdbEngine as duckdb } from './duckdb/engine.ts';
export { mysqlEngine as mysql } from './mysql/engine.ts';
export { postgresEngine as postgres } from './postgres/engine.ts';
export { redshiftEngine as redshift } from './redshift/engine.ts';
export { snowflakeEngine as snowflake } from './snowflake/engine.ts';
export { sqlserverEngine as sqlserver } from './sqlserver/engine.ts';
export { trinoEngine as trino } from './trino/engine.ts';
