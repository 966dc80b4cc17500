import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import { createDatatypeMap } from '../../../adapters/warehouse/native-types.ts';
import type { CatalogTable } from '../../../domain/ports.ts';

export type QueryRunner = (sql: string, values?: unknown[]) => Promise<unknown[][]>;

const NOT_SYSTEM_SCHEMA_SQL = "table_schema not in ('information_schema', 'performance_schema', 'mysql', 'sys')";
const SELECT_TABLES = `select table_schema, table_name, table_type, table_comment, table_rows from information_schema.tables
  where ${NOT_SYSTEM_SCHEMA_SQL} order by table_schema <> ?, table_schema, table_name`;
const SELECT_COLUMNS = `select table_schema, table_name, column_name, data_type, column_type, is_nullable, column_comment
  from information_schema.columns where ${NOT_SYSTEM_SCHEMA_SQL} order by table_schema, table_name, ordinal_position`;
const SELECT_KEYS = `select table_schema, table_name, index_name, column_name from information_schema.statistics
  where ${NOT_SYSTEM_SCHEMA_SQL} and non_unique = 0 order by table_schema, table_name, index_name, seq_in_index`;
const SELECT_REFERENCES = `select table_schema, table_name, constraint_name, column_name, referenced_table_schema,
  referenced_table_name, referenced_column_name from information_schema.key_column_usage
  where ${NOT_SYSTEM_SCHEMA_SQL} and referenced_table_name is not null order by table_schema, table_name, constraint_name, ordinal_position`;

const DATATYPE_BY_NATIVE_TYPE = createDatatypeMap({
  integer: 'tinyint smallint mediumint int bigint year',
  decimal: 'decimal',
  float: 'float double',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  datetimetz: 'timestamp',
  string: 'char varchar tinytext text mediumtext longtext enum set uuid inet4 inet6',
});

export async function readMysqlCatalog(query: QueryRunner, database: string): Promise<CatalogTable[]> {
  const tables = new CatalogTableCollector();
  for (const [schema, table, kind, comment, rows] of await query(SELECT_TABLES, [database])) {
    const isView = String(kind) !== 'BASE TABLE';
    tables.add(schema, table, { isView, comment: isView ? null : comment, rows });
  }
  for (const [schema, table, name, type, fullType, nullable, comment] of await query(SELECT_COLUMNS)) {
    const nativeType = String(fullType);
    const datatype = /^tinyint\(1\)/.test(nativeType)
      ? 'boolean'
      : (DATATYPE_BY_NATIVE_TYPE[String(type).toLowerCase()] ?? null);
    tables.addColumn(schema, table, { name, datatype, nativeType, nullable: nullable === 'YES', comment });
  }
  const unique = new Map<string, { table: CatalogTable; columns: string[] }>();
  for (const [schema, name, index, column] of await query(SELECT_KEYS)) {
    const table = tables.get(schema, name);
    if (!table || column === null) continue;
    if (index === 'PRIMARY') table.primaryKey.push(String(column));
    else {
      const id = [schema, name, index].join('\u0000');
      const uniqueKey = unique.get(id) ?? { table, columns: [] };
      uniqueKey.columns.push(String(column));
      unique.set(id, uniqueKey);
    }
  }
  for (const { table, columns } of unique.values()) table.uniqueKeys.push(columns);
  for (const [schema, name, constraint, column, toSchema, toTable, toColumn] of await query(SELECT_REFERENCES)) {
    const table = tables.get(schema, name);
    let existingKey = table?.foreignKeys.find((foreignKey) => foreignKey.name === constraint);
    if (table && !existingKey) {
      const target = { schema: String(toSchema), table: String(toTable), columns: [] };
      existingKey = { name: String(constraint), columns: [], to: target };
      table.foreignKeys.push(existingKey);
    }
    existingKey?.columns.push(String(column));
    existingKey?.to.columns.push(String(toColumn));
  }
  return tables.all();
}
