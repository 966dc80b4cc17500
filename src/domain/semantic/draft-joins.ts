// Joins of a drafted lens: declared foreign keys, and what column names say where none are declared.

import { snake } from '../../lens/name-words.ts';
import { singular } from '../../lens/singular.ts';
import type { CatalogTable } from '../ports.ts';

export interface DraftJoin {
  from: { table: CatalogTable; columns: string[] };
  to: { table: CatalogTable; columns: string[] };
  declared: boolean;
}

export function findJoins(tables: readonly CatalogTable[]): DraftJoin[] {
  const joins: DraftJoin[] = [];
  for (const table of tables) {
    const taken = new Set<string>();
    for (const key of table.foreignKeys) {
      const target = tables.find(
        (one) => one.table === key.to.table && (key.to.schema === null || one.schema === key.to.schema),
      );
      if (!target) continue;
      for (const column of key.columns) taken.add(column);
      joins.push({
        from: { table, columns: key.columns },
        to: { table: target, columns: key.to.columns },
        declared: true,
      });
    }
    for (const column of table.columns) {
      if (taken.has(column.name) || (table.primaryKey.length === 1 && table.primaryKey[0] === column.name)) continue;
      const target = targetOf(column.name, column.datatype, table, tables);
      if (target) joins.push({ from: { table, columns: [column.name] }, to: target, declared: false });
    }
  }
  return joins;
}

/** customer_id -> customers(id), customer(customer_id); only onto a key of one column and the same type. */
function targetOf(
  column: string,
  datatype: string | null,
  from: CatalogTable,
  tables: readonly CatalogTable[],
): DraftJoin['to'] | null {
  const stem = /^(.+)_(id|key|code)$/.exec(snake(column))?.[1];
  if (!stem) return null;
  for (const table of tables) {
    const [key] = table.primaryKey;
    if (!key || table.primaryKey.length !== 1 || table === from || singular(snake(table.table)) !== singular(stem))
      continue;
    const sameType = table.columns.find(({ name }) => name === key)?.datatype === datatype;
    if (sameType && (snake(key) === snake(column) || /^(id|key|code)$/.test(snake(key))))
      return { table, columns: [key] };
  }
  return null;
}
