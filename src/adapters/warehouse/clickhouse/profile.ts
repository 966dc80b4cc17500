// Profiles columns over the first rows of a table: only some engines of ClickHouse can sample.
import type { ColumnProfile } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import type { Query } from './catalog.ts';

const MAX_TEXT = 500;
const quote = (name: string): string => quoteIdentifier('clickhouse', name);

export async function profileClickhouseTable(
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
  const [[count] = []] = await query(`select count() from (select 1 from ${name} limit ${limit + 1})`);
  const sampled = Number(count) > limit;
  const from = `(select ${columns.map(quote).join(', ')} from ${name} limit ${limit})`;
  const measures = columns.map((column) => `count(${quote(column)}), uniqExact(${quote(column)})`);
  const ends = columns.flatMap((column) =>
    ['min', 'max'].map((end) => `left(toString(${end}(${quote(column)})), ${MAX_TEXT})`),
  );
  const [found = []] = await query(`select count(), ${[...measures, ...ends].join(', ')} from ${from}`);
  const seen = Number(found[0]);
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const c = quote(column);
    const distinct = Number(found[2 + index * 2]);
    const values =
      distinct > options.maxValues
        ? null
        : await query(
            `select toString(${c}) as svc_value from ${from} where ${c} is not null group by ${c}
             order by count() desc, svc_value limit ${Math.trunc(options.maxValues)}`,
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
