// Engines as their makers write them. An engine of a plugin has the name in its configuration.
const NAMES: Record<string, string> = {
  bigquery: 'BigQuery',
  clickhouse: 'ClickHouse',
  databricks: 'Databricks',
  duckdb: 'DuckDB',
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  redshift: 'Redshift',
  snowflake: 'Snowflake',
  sqlserver: 'SQL Server',
  trino: 'Trino',
};
export const engineName = (kind: string): string => NAMES[kind] ?? kind;
