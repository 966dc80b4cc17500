// Lists the tables of a DuckDB file with three catalog queries, regardless of the number of tables.
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { CatalogTable } from '../../../domain/ports.ts';

const SELECT_TABLES = `
  select database_name, schema_name, table_name, 'table' as kind, comment, estimated_size from duckdb_tables()
    where not internal and not temporary and database_name = current_database()
  union all
  select database_name, schema_name, view_name, 'view', comment, null from duckdb_views()
    where not internal and not temporary and database_name = current_database()
  order by 2, 3`;
const SELECT_COLUMNS = `
  select schema_name, table_name, column_name, data_type, is_nullable, comment from duckdb_columns()
  where not internal and database_name = current_database() order by schema_name, table_name, column_index`;
const SELECT_CONSTRAINTS = `
  select schema_name, table_name, constraint_type, constraint_name, constraint_column_names,
    referenced_table, referenced_column_names
  from duckdb_constraints() where database_name = current_database()
    and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') order by constraint_index`;

export async function readDuckDbCatalog(connection: DuckDBConnection): Promise<CatalogTable[]> {
  const fetchRows = async (sql: string) => (await connection.run(sql)).getRowObjectsJson();
  const tables = new Map<string, CatalogTable>();
  const keyOf = (row: Record<string, unknown>) => `${row['schema_name']}.${row['table_name']}`;
  for (const row of await fetchRows(SELECT_TABLES))
    tables.set(keyOf(row), {
      catalog: null,
      schema: String(row['schema_name']),
      table: String(row['table_name']),
      kind: row['kind'] as CatalogTable['kind'],
      comment: row['comment'] as string | null,
      columns: [],
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
      rowEstimate: row['estimated_size'] === null ? null : Number(row['estimated_size']),
    });
  for (const row of await fetchRows(SELECT_COLUMNS))
    tables.get(keyOf(row))?.columns.push({
      name: String(row['column_name']),
      datatype: datatypeOfName(String(row['data_type'])),
      nativeType: String(row['data_type']),
      nullable: row['is_nullable'] === true,
      comment: row['comment'] as string | null,
    });
  for (const row of await fetchRows(SELECT_CONSTRAINTS)) {
    const table = tables.get(keyOf(row));
    const columns = row['constraint_column_names'] as string[];
    if (row['constraint_type'] === 'PRIMARY KEY') table?.primaryKey.push(...columns);
    else if (row['constraint_type'] === 'UNIQUE') table?.uniqueKeys.push(columns);
    else
      table?.foreignKeys.push({
        name: String(row['constraint_name']),
        columns,
        to: {
          schema: String(row['schema_name']),
          table: String(row['referenced_table']),
          columns: row['referenced_column_names'] as string[],
        },
      });
  }
  return [...tables.values()];
}

const DATATYPE_NAMES: [RegExp, Datatype][] = [
  [/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|BIGNUM)$/, 'integer'],
  [/^DECIMAL/, 'decimal'],
  [/^(FLOAT|DOUBLE)$/, 'float'],
  [/^BOOLEAN$/, 'boolean'],
  [/^DATE$/, 'date'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'datetimetz'],
  [/^TIMESTAMP/, 'datetime'],
  [/^TIME(_NS)?$/, 'time'],
  [/^(VARCHAR|JSON|UUID|ENUM\(.*\))$/, 'string'],
];
/** Null for types that a lens can't use: lists, structs, blobs and intervals. */
function datatypeOfName(name: string): Datatype | null {
  if (/\[\d*\]$/.test(name)) return null;
  return DATATYPE_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
