// Reads the catalog of a PostgreSQL database. The list omits partitions, because they are part of their parent table.
import { createCatalogTable } from '../../../adapters/warehouse/catalog-tables.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { toDatatype } from './cells.ts';

export type QueryRunner = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

const IS_READABLE_SQL = `n.nspname not in ('information_schema', 'pg_catalog') and n.nspname not like 'pg\\_%'
  and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select')`;
const SELECT_TABLES = `
  select c.oid::text as id, n.nspname as schema, c.relname as name, c.relkind as kind,
    obj_description(c.oid, 'pg_class') as comment,
    case when c.relkind in ('v', 'f') or c.reltuples < 0 then null else c.reltuples::float8 end as estimate
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${IS_READABLE_SQL} order by 2, 3`;
const SELECT_COLUMNS = `
  select c.oid::text as id, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as filled,
    (case t.typtype when 'd' then t.typbasetype else t.oid end)::int as oid, t.typtype as sort,
    t.typcategory as category, col_description(c.oid, a.attnum) as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where ${IS_READABLE_SQL} and has_column_privilege(c.oid, a.attnum, 'select') order by c.oid, a.attnum`;
const SELECT_KEYS = `
  select c.oid::text as id, i.indisprimary as "isPrimary",
    array(select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by k.at) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${IS_READABLE_SQL} and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null order by i.indexrelid`;
const SELECT_REFERENCES = `
  select c.oid::text as id, f.conname as name, tn.nspname as schema, tc.relname as target,
    array(select a.attname::text from unnest(f.conkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n order by k.at) as columns,
    array(select a.attname::text from unnest(f.confkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.n order by k.at) as targets
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
  where ${IS_READABLE_SQL} and f.contype = 'f' and f.conparentid = 0 order by f.oid`;

/** The OIDs of text and varchar. Other types that svc reads as strings, such as enums, have their own order. */
const TEXT_OIDS = new Set([25, 1043]);

export async function readPostgresCatalog(query: QueryRunner): Promise<CatalogTable[]> {
  const tables = new Map<string, CatalogTable>();
  type TableRow = {
    id: string;
    schema: string;
    name: string;
    kind: string;
    comment: string | null;
    estimate: number | null;
  };
  for (const row of await query<TableRow>(SELECT_TABLES))
    tables.set(
      row.id,
      createCatalogTable(row.schema, row.name, {
        isView: row.kind === 'v' || row.kind === 'm',
        comment: row.comment,
        rows: row.estimate,
      }),
    );
  type ColumnRow = {
    id: string;
    name: string;
    type: string;
    filled: boolean;
    oid: number;
    sort: string;
    category: string;
    comment: string | null;
  };
  for (const row of await query<ColumnRow>(SELECT_COLUMNS))
    tables.get(row.id)?.columns.push({
      name: row.name,
      // A lens can't use arrays, composite types, geometric types or intervals.
      datatype: /^[ACGRTX]$/.test(row.category) ? null : toDatatype(row.oid),
      nativeType: row.type,
      nullable: !row.filled,
      ...(TEXT_OIDS.has(row.oid) && { comparesAsText: true }),
      comment: row.comment,
    });
  for (const row of await query<{ id: string; isPrimary: boolean; columns: string[] }>(SELECT_KEYS)) {
    const table = tables.get(row.id);
    if (row.isPrimary) table?.primaryKey.push(...row.columns);
    else table?.uniqueKeys.push(row.columns);
  }
  type ReferenceRow = {
    id: string;
    name: string;
    schema: string;
    target: string;
    columns: string[];
    targets: string[];
  };
  for (const row of await query<ReferenceRow>(SELECT_REFERENCES))
    tables.get(row.id)?.foreignKeys.push({
      name: row.name,
      columns: row.columns,
      to: { schema: row.schema, table: row.target, columns: row.targets },
    });
  return [...tables.values()];
}
