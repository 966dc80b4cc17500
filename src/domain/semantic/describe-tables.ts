// Tables as a lens would see them: what each column probably is, and where the joins go.

import { snake } from '../../lens/name-words.ts';
import { inTurns } from '../../platform/in-turns.ts';
import type { CatalogTable } from '../ports.ts';
import { columnAdds } from './column-adds.ts';
import { roleOf } from './column-roles.ts';
import { joinsUnread } from './prove-joins.ts';
import { rowsInTime } from './rows-in-time.ts';
import { readingSchema } from './schema-words.ts';

export const describeTables = (tables: CatalogTable[]) => inTurns(describing(tables));

function* describing(tables: CatalogTable[]) {
  const words = yield* readingSchema(tables);
  const joins = yield* joinsUnread(tables, words);
  const named = (table: CatalogTable): string => [table.schema, table.table].filter(Boolean).join('.');
  const described = [];
  for (const table of tables) {
    const own = joins.filter(({ from }) => from.table === table);
    const keys = new Set([...table.primaryKey, ...own.flatMap(({ from }) => from.columns)]);
    described.push({
      table: named(table),
      dataset: snake(table.table),
      rows: table.rowEstimate,
      primary_key: table.primaryKey,
      columns: table.columns.map((column) => ({
        name: column.name,
        datatype: column.datatype,
        role: roleOf(
          column,
          words.get(table)!.wordsOf(column),
          keys.has(column.name),
          columnAdds(
            { ...column, synonyms: [] },
            table,
            rowsInTime(table, words.get(table)!.thing, () => undefined),
          ).how,
          undefined,
        ),
      })),
      joins: own.map(({ from, to, declared }) => ({
        columns: from.columns,
        to: named(to.table),
        to_columns: to.columns,
        declared,
      })),
    });
    yield;
  }
  return described;
}
