// Profiles columns over the first rows of a table, for engines that can't sample every table.
import type { ColumnProfile } from '../../domain/ports.ts';

const MAX_TEXT = 500;
const limitRows = (select: string, rows: number): string => `${select} limit ${rows}`;

export interface ProfileWords {
  quote(name: string): string;
  /** Replaces a column that the engine can't compare or cast directly. */
  shown?(name: string): string;
  /** The exact number of distinct values. */
  distinct(column: string): string;
  text(value: string): string;
  first(text: string, signs: number): string;
  /** Limits a select. Default: a LIMIT at the end. */
  cut?(select: string, rows: number): string;
}
interface Profiled {
  catalog?: string | null;
  schema: string | null;
  table: string;
  /** SQL after the table's name that reads only a part of the table. */
  sample?: string;
}

export async function profileFirstRows(
  { quote, shown = quote, distinct, text, first, cut = limitRows }: ProfileWords,
  query: (sql: string) => Promise<unknown[][]>,
  { catalog = null, schema, table, sample = '' }: Profiled,
  columns: string[],
  { maxValues, sampleRows }: { maxValues: number; sampleRows: number },
): Promise<ColumnProfile[]> {
  if (columns.length === 0) return [];
  const name = [catalog, schema, table]
    .filter((part) => part !== null)
    .map(quote)
    .join('.')
    .concat(sample);
  const limit = Math.trunc(sampleRows);
  const [[count] = []] = await query(`select count(*) from (${cut(`select 1 as one from ${name}`, limit + 1)}) s`);
  const sampled = Number(count) > limit;
  const list = columns.map((column) => `${shown(column)} as ${quote(column)}`).join(', ');
  const from = `(${cut(`select ${list} from ${name}`, limit)}) s`;
  const measures = columns.map(quote).map((column) => `count(${column}), ${distinct(column)}`);
  const ends = columns
    .map(quote)
    .flatMap((column) => ['min', 'max'].map((end) => first(text(`${end}(${column})`), MAX_TEXT)));
  const [found = []] = await query(`select count(*), ${[...measures, ...ends].join(', ')} from ${from}`);
  const seen = Number(found[0]);
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const c = quote(column);
    const different = Number(found[2 + index * 2]);
    const values =
      different > maxValues
        ? null
        : await query(
            cut(
              `select ${text(c)} as svc_value from ${from} where ${c} is not null group by ${c}
               order by count(*) desc, svc_value`,
              Math.trunc(maxValues),
            ),
          );
    const end = (which: number): string | null => {
      const value = found[1 + columns.length * 2 + index * 2 + which];
      return value === null || value === undefined ? null : String(value);
    };
    profiles.push({
      table,
      column,
      rows: seen,
      nulls: seen - Number(found[1 + index * 2]),
      distinct: sampled ? null : different,
      min: end(0),
      max: end(1),
      values: values?.map(([value]) => String(value)) ?? null,
      sampled,
    });
  }
  return profiles;
}
