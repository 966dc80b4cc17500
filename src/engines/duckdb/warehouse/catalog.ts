// Reads the catalog of a DuckDB file with three queries, regardless of the number of tables.
import type { DuckDBConnection } from '@duckdb/node-api';
import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { CatalogTable } from '../../../domain/ports.ts';

const SELECT_TABLES = `
  select schema_name, table_name, 'table' as kind, comment, estimated_size from duckdb_tables()
    where not internal and not temporary and database_name = current_database()
  union all
  select schema_name, view_name, 'view', comment, null from duckdb_views()
    where not internal and not temporary and database_name = current_database()
  order by 1, 2`;
const SELECT_COLUMNS = `
  select schema_name, table_name, column_name, data_type, is_nullable, comment from duckdb_columns()
  where not internal and database_name = current_database() order by schema_name, table_name, column_index`;
const SELECT_CONSTRAINTS = `
  select schema_name, table_name, constraint_type, constraint_name, constraint_column_names,
    referenced_table, referenced_column_names
  from duckdb_constraints() where database_name = current_database()
    and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') order by constraint_index`;

export async function readDuckDbCatalog(connection: DuckDBConnection): Promise<CatalogTable[]> {
  const fetchRows = async (sql: string) => (await connection.run(sql)).getRowsJson();
  const tables = new CatalogTableCollector();
  for (const [schema, table, kind, comment, rows] of await fetchRows(SELECT_TABLES))
    tables.add(schema, table, { isView: kind === 'view', comment, rows });
  for (const [schema, table, name, type, nullable, comment] of await fetchRows(SELECT_COLUMNS)) {
    const nativeType = String(type);
    tables.addColumn(schema, table, {
      name,
      datatype: findDatatypeByName(nativeType),
      nativeType,
      nullable: nullable === true,
      comment,
    });
  }
  for (const [schema, name, type, constraint, columnNames, toTable, toColumns] of await fetchRows(SELECT_CONSTRAINTS)) {
    const table = tables.get(schema, name);
    const columns = columnNames as string[];
    if (type === 'PRIMARY KEY') table?.primaryKey.push(...columns);
    else if (type === 'UNIQUE') table?.uniqueKeys.push(columns);
    else
      table?.foreignKeys.push({
        name: String(constraint),
        columns,
        to: { schema: String(schema), table: String(toTable), columns: toColumns as string[] },
      });
  }
  return tables.all();
}

const DATATYPE_BY_NAME_PATTERN: [RegExp, Datatype][] = [
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
/** Returns null for types that a lens can't use: lists, structs, blobs and intervals. */
function findDatatypeByName(name: string): Datatype | null {
  if (/\[\d*\]$/.test(name)) return null;
  return DATATYPE_BY_NAME_PATTERN.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
