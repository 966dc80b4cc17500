// svc ignores declared keys, because Databricks doesn't enforce them.

import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import { textOf } from '../../../dialects/make-nodes.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { databricksDialect } from '../dialect/dialect.ts';
import { toBaseType, toDatatype } from './cells.ts';

const quoteName = (name: string): string => quoteIdentifier('databricks', name);

export async function readDatabricksCatalog(
  query: (sql: string) => Promise<unknown[][]>,
  { catalog, schema }: { catalog: string; schema?: string | undefined },
): Promise<CatalogTable[]> {
  const informationSchema = `${quoteName(catalog)}.information_schema`;
  const where = schema
    ? `table_schema = ${databricksDialect.writeExpression(textOf(schema.toLowerCase()))}`
    : "table_schema <> 'information_schema'";
  const tables = new CatalogTableCollector();
  for (const [schemaName, table, type, comment] of await query(
    `select table_schema, table_name, table_type, comment from ${informationSchema}.tables where ${where}
     order by table_schema, table_name`,
  ))
    tables.add(schemaName, table, { isView: /VIEW/.test(String(type)), comment });
  for (const [schemaName, table, name, type, nullable, comment] of await query(
    `select table_schema, table_name, column_name, full_data_type, is_nullable, comment from ${informationSchema}.columns where ${where}
     order by table_schema, table_name, ordinal_position`,
  ))
    tables.addColumn(schemaName, table, {
      name,
      datatype: toDatatype(String(type)),
      nativeType: toBaseType(String(type)),
      nullable: nullable !== 'NO',
      comment,
    });
  return tables.withColumns();
}
