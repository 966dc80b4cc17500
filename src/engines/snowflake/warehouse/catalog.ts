// Lists the tables that a role can read in the connection's databases, from each information_schema. Snowflake doesn't
// enforce declared keys, so svc infers keys from the values.
import { swapCase } from '../../../dialects/fold-name.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { datatypeOf } from './cells.ts';

/**
 * A database or one of its schemas, in the letter case that lenses use. `own`: true if a lens names the tables without
 * the database or schema.
 */
export interface VisibleSchema {
  database: string;
  schema: string | null;
  own: boolean;
}

export async function readSnowflakeCatalog(
  query: (sql: string, binds: string[]) => Promise<unknown[][]>,
  { database, schema, own }: VisibleSchema,
): Promise<CatalogTable[]> {
  const informationSchema = `${quoteIdentifier('snowflake', database)}.information_schema`;
  const where = `table_schema ${schema ? '=' : '<>'} ?`;
  const binds = [schema ? swapCase(schema) : 'INFORMATION_SCHEMA'];
  const tables = new Map<string, CatalogTable>();
  const tableKey = (schemaName: unknown, table: unknown): string => `${schemaName}\u0000${table}`;
  for (const [schemaName, table, type, comment, rows] of await query(
    `select table_schema, table_name, table_type, comment, row_count from ${informationSchema}.tables where ${where}
     order by table_schema, table_name`,
    binds,
  )) {
    tables.set(tableKey(schemaName, table), {
      catalog: own ? null : database,
      schema: swapCase(String(schemaName)),
      table: swapCase(String(table)),
      kind: String(type).includes('VIEW') ? 'view' : 'table',
      comment: textOrNull(comment),
      columns: [],
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
      rowEstimate: rows === null || rows === undefined ? null : Number(rows),
    });
  }
  for (const [schemaName, table, name, type, scale, nullable, comment] of await query(
    `select table_schema, table_name, column_name, data_type, numeric_scale, is_nullable, comment from ${informationSchema}.columns
     where ${where} order by table_schema, table_name, ordinal_position`,
    binds,
  )) {
    tables.get(tableKey(schemaName, table))?.columns.push({
      name: swapCase(String(name)),
      datatype: datatypeOf({ name: String(type), scale: Number(scale ?? 0) }),
      nativeType: String(type),
      nullable: nullable !== 'NO',
      comment: textOrNull(comment),
    });
  }
  return [...tables.values()].filter(({ columns }) => columns.length > 0);
}

const textOrNull = (value: unknown): string | null => (value === null || value === '' ? null : String(value));
