// ClickHouse has no unique or foreign keys, so svc infers keys from the values.
import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { parseType, toDatatype } from './cells.ts';

export type QueryRunner = (sql: string, values?: Record<string, string>) => Promise<unknown[][]>;

const NOT_SYSTEM_DATABASE_SQL = "database not in ('system', 'information_schema', 'INFORMATION_SCHEMA')";
const SELECT_TABLES = `select database, name, engine, comment, total_rows from system.tables
  where ${NOT_SYSTEM_DATABASE_SQL} and not is_temporary and not startsWith(name, '.inner') order by database <> {own:String}, database, name`;
const SELECT_COLUMNS = `select database, table, name, type, comment from system.columns where ${NOT_SYSTEM_DATABASE_SQL} order by database, table, position`;

export async function readClickhouseCatalog(query: QueryRunner, database: string): Promise<CatalogTable[]> {
  const tables = new CatalogTableCollector();
  for (const [schema, table, engine, comment, rows] of await query(SELECT_TABLES, { own: database }))
    tables.add(schema, table, { isView: String(engine).endsWith('View'), comment, rows });
  for (const [schema, table, name, typeText, comment] of await query(SELECT_COLUMNS)) {
    const { name: nativeType, nullable } = parseType(String(typeText));
    tables.addColumn(schema, table, { name, datatype: toDatatype(nativeType), nativeType, nullable, comment });
  }
  return tables.withColumns();
}
