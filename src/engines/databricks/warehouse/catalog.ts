// Lists the tables that a login can read, from Unity Catalog's information_schema. svc ignores declared keys, because
// Databricks doesn't enforce them.

import { textOf } from '../../../dialects/make-nodes.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { databricks } from '../dialect/dialect.ts';
import { baseTypeOf, datatypeOf } from './cells.ts';

const quoteName = (name: string): string => quoteIdentifier('databricks', name);

export async function readDatabricksCatalog(
  query: (sql: string) => Promise<unknown[][]>,
  { catalog, schema }: { catalog: string; schema?: string | undefined },
): Promise<CatalogTable[]> {
  const informationSchema = `${quoteName(catalog)}.information_schema`;
  const where = schema
    ? `table_schema = ${databricks.writeExpression(textOf(schema.toLowerCase()))}`
    : "table_schema <> 'information_schema'";
  const tables = new Map<string, CatalogTable>();
  for (const [schemaName, table, type, comment] of await query(
    `select table_schema, table_name, table_type, comment from ${informationSchema}.tables where ${where}
     order by table_schema, table_name`,
  ))
    tables.set(`${schemaName}.${table}`, {
      catalog: null,
      schema: String(schemaName),
      table: String(table),
      kind: /VIEW/.test(String(type)) ? 'view' : 'table',
      comment: comment ? String(comment) : null,
      columns: [],
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
      rowEstimate: null,
    });
  for (const [schemaName, table, name, type, nullable, comment] of await query(
    `select table_schema, table_name, column_name, full_data_type, is_nullable, comment from ${informationSchema}.columns where ${where}
     order by table_schema, table_name, ordinal_position`,
  ))
    tables.get(`${schemaName}.${table}`)?.columns.push({
      name: String(name),
      datatype: datatypeOf(String(type)),
      nativeType: baseTypeOf(String(type)),
      nullable: nullable !== 'NO',
      comment: comment ? String(comment) : null,
    });
  return [...tables.values()].filter(({ columns }) => columns.length > 0);
}
