// An unknown kind comes from a plugin, so its name is shown as configured.
const ENGINE_NAMES: Record<string, string> = {
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
export const formatEngineName = (kind: string): string => ENGINE_NAMES[kind] ?? kind;
