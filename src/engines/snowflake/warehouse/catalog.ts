// Snowflake doesn't enforce declared keys, so svc infers keys from the values.
import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import { swapCase } from '../../../dialects/fold-name.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { toDatatype } from './cells.ts';

/**
 * The names have the letter case of lenses. If `isDefault` is true, a lens names the tables without the database or
 * schema.
 */
export interface VisibleSchema {
  database: string;
  schema: string | null;
  isDefault: boolean;
}

export async function readSnowflakeCatalog(
  query: (sql: string, binds: string[]) => Promise<unknown[][]>,
  { database, schema, isDefault }: VisibleSchema,
): Promise<CatalogTable[]> {
  const informationSchema = `${quoteIdentifier('snowflake', database)}.information_schema`;
  const where = `table_schema ${schema ? '=' : '<>'} ?`;
  const binds = [schema ? swapCase(schema) : 'INFORMATION_SCHEMA'];
  const tables = new CatalogTableCollector();
  const nameOf = (name: unknown): string => swapCase(String(name));
  for (const [schemaName, table, type, comment, rows] of await query(
    `select table_schema, table_name, table_type, comment, row_count from ${informationSchema}.tables where ${where}
     order by table_schema, table_name`,
    binds,
  )) {
    const isView = String(type).includes('VIEW');
    tables.add(nameOf(schemaName), nameOf(table), { catalog: isDefault ? null : database, isView, comment, rows });
  }
  for (const [schemaName, table, name, type, scale, nullable, comment] of await query(
    `select table_schema, table_name, column_name, data_type, numeric_scale, is_nullable, comment from ${informationSchema}.columns
     where ${where} order by table_schema, table_name, ordinal_position`,
    binds,
  ))
    tables.addColumn(nameOf(schemaName), nameOf(table), {
      name: nameOf(name),
      datatype: toDatatype({ name: String(type), scale: Number(scale ?? 0) }),
      nativeType: String(type),
      nullable: nullable !== 'NO',
      comment,
    });
  return tables.withColumns();
}
