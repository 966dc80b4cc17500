// Engine names as their vendors write them. An unknown name comes from a plugin and stays as configured.
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
