// Reads the catalog of a SQL Server database. svc uses only keys that the server enforces.
import { createCatalogTable } from '../../../adapters/warehouse/catalog-tables.ts';
import type { CatalogTable, Cell } from '../../../domain/ports.ts';
import { findDatatypeByName } from './cells.ts';

type QueryRunner = (sql: string) => Promise<Cell[][]>;

const writeDescriptionSql = (object: string, column: string): string =>
  `(select cast(e.value as nvarchar(max)) from sys.extended_properties e
    where e.class = 1 and e.name = 'MS_Description' and e.major_id = ${object} and e.minor_id = ${column})`;
const IS_VISIBLE_SQL = `o.type in ('U', 'V') and o.is_ms_shipped = 0`;
const SELECT_TABLES = `
  select o.object_id, s.name, o.name, o.type, ${writeDescriptionSql('o.object_id', '0')},
    (select sum(p.rows) from sys.partitions p where p.object_id = o.object_id and p.index_id in (0, 1))
  from sys.objects o join sys.schemas s on s.schema_id = o.schema_id where ${IS_VISIBLE_SQL} order by s.name, o.name`;
const SELECT_COLUMNS = `
  select c.object_id, c.column_id, c.name, coalesce(b.name, t.name), c.scale, c.is_nullable, ${writeDescriptionSql('c.object_id', 'c.column_id')}
  from sys.columns c join sys.objects o on o.object_id = c.object_id
    join sys.types t on t.user_type_id = c.user_type_id
    left join sys.types b on b.user_type_id = c.system_type_id and b.system_type_id = c.system_type_id
  where ${IS_VISIBLE_SQL} order by c.object_id, c.column_id`;
const SELECT_UNIQUE_KEYS = `
  select i.object_id, i.index_id, i.is_primary_key, c.name
  from sys.indexes i join sys.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id
    join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id
    join sys.objects o on o.object_id = i.object_id
  where ${IS_VISIBLE_SQL} and i.is_unique = 1 and i.has_filter = 0 and i.is_disabled = 0 and k.is_included_column = 0
  order by i.object_id, i.is_primary_key desc, i.index_id, k.key_ordinal`;
const SELECT_FOREIGN_KEYS = `
  select f.parent_object_id, f.object_id, f.name, f.referenced_object_id, c.name, r.name
  from sys.foreign_keys f join sys.foreign_key_columns k on k.constraint_object_id = f.object_id
    join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id
    join sys.columns r on r.object_id = k.referenced_object_id and r.column_id = k.referenced_column_id
  where f.is_disabled = 0 and f.is_not_trusted = 0
  order by f.parent_object_id, f.name, k.constraint_column_id`;

const toTextOrNull = (cell: Cell | undefined): string | null => (cell === null || cell === '' ? null : String(cell));

export async function readSqlserverCatalog(query: QueryRunner): Promise<CatalogTable[]> {
  const tables = new Map<string, CatalogTable>();
  for (const [id, schema, table, type, comment, rows] of await query(SELECT_TABLES))
    tables.set(String(id), createCatalogTable(schema, table, { isView: String(type).trim() === 'V', comment, rows }));
  for (const [id, , name, type, scale, nullable, comment] of await query(SELECT_COLUMNS))
    tables.get(String(id))?.columns.push({
      name: String(name),
      datatype: findDatatypeByName(String(type), Number(scale)),
      nativeType: String(type),
      nullable: nullable === true,
      comment: toTextOrNull(comment),
    });
  await readKeys(query, tables);
  return [...tables.values()].filter(({ columns }) => columns.length > 0);
}

async function readKeys(query: QueryRunner, tables: Map<string, CatalogTable>): Promise<void> {
  const unique = new Map<string, string[]>();
  for (const [id, index, primary, column] of await query(SELECT_UNIQUE_KEYS)) {
    const table = tables.get(String(id));
    const key = `${id} ${index}`;
    if (primary === true) table?.primaryKey.push(String(column));
    else if (!unique.has(key)) {
      unique.set(key, [String(column)]);
      table?.uniqueKeys.push(unique.get(key)!);
    } else unique.get(key)!.push(String(column));
  }
  for (const [id, constraint, name, target, from, to] of await query(SELECT_FOREIGN_KEYS)) {
    const [table, targetTable] = [tables.get(String(id)), tables.get(String(target))];
    if (!table || !targetTable) continue;
    const lastKey = table.foreignKeys.at(-1);
    const existingKey = lastKey?.name === name && constraint !== null ? lastKey : undefined;
    if (existingKey) {
      existingKey.columns.push(String(from));
      existingKey.to.columns.push(String(to));
    } else
      table.foreignKeys.push({
        name: String(name),
        columns: [String(from)],
        to: { schema: targetTable.schema, table: targetTable.table, columns: [String(to)] },
      });
  }
}
