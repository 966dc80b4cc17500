// Keys of tables that declare none, as files do: the column named like one, when its values prove to be unique.

import { snake } from '../../lens/name-words.ts';
import { singular } from '../../lens/singular.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { CatalogTable, Warehouse } from '../ports.ts';

const ALL_ROWS = 1_000_000; // beyond it uniqueness is not proven

export async function withFoundKeys(
  warehouse: Warehouse,
  tables: readonly CatalogTable[],
  signal: AbortSignal,
): Promise<CatalogTable[]> {
  return inParallel([...tables], 3, async (table) => {
    const column = table.primaryKey.length > 0 || table.kind === 'view' ? undefined : keyLike(table);
    if (!column || signal.aborted) return table;
    const [profile] = await warehouse
      .profile(table, [column], { maxValues: 0, sampleRows: ALL_ROWS, signal })
      .catch(() => []);
    const unique = profile && profile.rows > 0 && profile.nulls === 0 && profile.distinct === profile.rows;
    return unique ? { ...table, primaryKey: [column] } : table;
  });
}

function keyLike({ table, columns }: CatalogTable): string | undefined {
  const thing = singular(snake(table).replace(/^(dim|fact|fct|tbl|stg)_/, ''));
  const wanted = ['id', `${thing}_id`, `${thing}_key`, `${thing}_code`];
  return columns.find(({ name }) => wanted.includes(snake(name)))?.name;
}
