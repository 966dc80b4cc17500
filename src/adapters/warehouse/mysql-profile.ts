// Profiles columns over the first rows of a table: MySQL has no sampling of its own.
import type { ColumnProfile } from '../../domain/ports.ts';
import { quoteIdentifier } from '../../guard/literals.ts';
import type { Query } from './mysql-catalog.ts';

const MAX_TEXT = 500;
const quote = (name: string): string => quoteIdentifier('mysql', name);

export async function profileMysqlTable(
  query: Query,
  table: { schema: string | null; table: string },
  columns: string[],
  options: { maxValues: number; sampleRows: number },
): Promise<ColumnProfile[]> {
  if (columns.length === 0) return [];
  const name = [table.schema, table.table]
    .filter((part) => part !== null)
    .map(quote)
    .join('.');
  const limit = Math.trunc(options.sampleRows);
  const [[count] = []] = await query(`select count(*) from (select 1 from ${name} limit ${limit + 1}) s`);
  const sampled = Number(count) > limit;
  const from = `(select ${columns.map(quote).join(', ')} from ${name} limit ${limit}) s`;
  const measures = columns.map((column) => `count(${quote(column)}), count(distinct ${quote(column)})`);
  const ends = columns.flatMap((column) =>
    ['min', 'max'].map((end) => `left(cast(${end}(${quote(column)}) as char), ${MAX_TEXT})`),
  );
  const [found = []] = await query(`select count(*), ${[...measures, ...ends].join(', ')} from ${from}`);
  const seen = Number(found[0]);
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const c = quote(column);
    const distinct = Number(found[2 + index * 2]);
    const values =
      distinct > options.maxValues
        ? null
        : await query(
            `select cast(${c} as char) from ${from} where ${c} is not null group by ${c} order by count(*) desc, 1
             limit ${Math.trunc(options.maxValues)}`,
          );
    const end = (which: number): string | null => {
      const value = found[1 + columns.length * 2 + index * 2 + which];
      return value === null || value === undefined ? null : String(value);
    };
    profiles.push({
      table: table.table,
      column,
      rows: seen,
      nulls: seen - Number(found[1 + index * 2]),
      distinct: sampled ? null : distinct,
      min: end(0),
      max: end(1),
      values: values?.map(([value]) => String(value)) ?? null,
      sampled,
    });
  }
  return profiles;
}
