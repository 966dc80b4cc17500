// The tables of the suites in Spark, and the Unity Catalog views that svc reads.
import { type ColumnType, statementsFor, TEST_TABLES, type TestTable } from '../tables.ts';

const TYPES: Readonly<Record<string, string>> = { text: 'string' };
const typeOf = (type: ColumnType): string => TYPES[type] ?? type;
const quoteText = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const sparkStatements = (tables: readonly TestTable[] = TEST_TABLES): string[] => [
  'create database shop',
  ...statementsFor(
    {
      table: (name) => `shop.${name}`,
      type: typeOf,
      value: (cell, type) => (cell === null ? 'null' : `cast(${quoteText(String(cell))} as ${typeOf(type)})`),
    },
    tables,
  ),
  'create database information_schema',
  `create table information_schema.tables as select * from values ${tables
    .map(({ name }) => `('shop', '${name}', 'MANAGED', cast(null as string))`)
    .join(', ')} as t (table_schema, table_name, table_type, comment)`,
  `create table information_schema.columns as select * from values ${tables
    .flatMap(({ name, columns }) =>
      columns.map(
        (column, index) =>
          `('shop', '${name}', '${column.name}', '${typeOf(column.type)}', '${column.nullable ? 'YES' : 'NO'}', cast(null as string), ${index})`,
      ),
    )
    .join(', ')} as t (table_schema, table_name, column_name, full_data_type, is_nullable, comment, ordinal_position)`,
];
