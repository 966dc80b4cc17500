// Reads the catalog of a Redshift database. svc ignores declared keys, because Redshift doesn't enforce them.
import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import type { QueryRunner } from '../../postgres/warehouse/catalog.ts';

const IS_VISIBLE_SQL = `table_schema not in ('information_schema', 'pg_catalog', 'catalog_history') and left(table_schema, 3) <> 'pg_'`;
const SELECT_TABLES = `
  select table_schema as "schema", table_name as "name", table_type as "type", remarks from svv_tables
  where ${IS_VISIBLE_SQL} order by 1, 2`;
const SELECT_COLUMNS = `
  select table_schema as "schema", table_name as "table", column_name as "name", data_type as "type",
    character_maximum_length as "length", numeric_precision as "precision", numeric_scale as "scale",
    is_nullable as "nullable", remarks
  from svv_columns where ${IS_VISIBLE_SQL} order by table_schema, table_name, ordinal_position`;

const DATATYPE_BY_NATIVE_TYPE: readonly (readonly [RegExp, Datatype])[] = [
  [/^(?:character|char|varchar|text|string|bpchar|nvarchar)/, 'string'],
  [/^(?:smallint|integer|bigint|int|tinyint)/, 'integer'],
  [/^(?:numeric|decimal)/, 'decimal'],
  [/^(?:real|double|float)/, 'float'],
  [/^bool/, 'boolean'],
  [/^date$/, 'date'],
  [/^time without/, 'time'],
  [/^timestamp with time zone|^timestamptz/, 'datetimetz'],
  [/^timestamp/, 'datetime'],
];

type TableRow = { schema: string; name: string; type: string; remarks: string | null };
type ColumnRow = {
  schema: string;
  table: string;
  name: string;
  type: string;
  length: number | null;
  precision: number | null;
  scale: number | null;
  nullable: string | null;
  remarks: string | null;
};

export async function readRedshiftCatalog(query: QueryRunner): Promise<CatalogTable[]> {
  const tables = new CatalogTableCollector();
  for (const { schema, name, type, remarks } of await query<TableRow>(SELECT_TABLES))
    tables.add(schema, name, { isView: /view/i.test(type), comment: remarks });
  for (const row of await query<ColumnRow>(SELECT_COLUMNS))
    tables.addColumn(row.schema, row.table, {
      name: row.name,
      datatype: DATATYPE_BY_NATIVE_TYPE.find(([pattern]) => pattern.test(row.type))?.[1] ?? null,
      nativeType: writeNativeType(row),
      nullable: row.nullable !== 'NO',
      comment: row.remarks,
    });
  return tables.all();
}

function writeNativeType({ type, length, precision, scale }: ColumnRow): string {
  if (/^character/.test(type) && length) return `${type}(${length})`;
  return type === 'numeric' && precision ? `numeric(${precision},${scale ?? 0})` : type;
}
