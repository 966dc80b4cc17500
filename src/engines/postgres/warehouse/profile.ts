// Profiles a table from a sample, which contains whole pages of a large table, or all rows of a small table.
import { escapeIdentifier } from 'pg';
import type { ColumnProfile } from '../../../domain/ports.ts';
import type { QueryRunner } from './catalog.ts';

const MAX_TEXT_LENGTH = 500;

export async function profilePostgresTable(
  query: QueryRunner,
  table: { schema: string | null; table: string },
  columns: string[],
  options: { maxValues: number; sampleRows: number },
): Promise<ColumnProfile[]> {
  if (columns.length === 0) return [];
  const name = `${escapeIdentifier(table.schema ?? 'public')}.${escapeIdentifier(table.table)}`;
  const limit = Math.trunc(options.sampleRows);
  const [tableStatistics] = await query<{ estimate: number; stored: boolean; seen: string }>(
    `select c.reltuples::float8 as estimate, c.relkind in ('r', 'm') as stored,
      (select count(*) from (select from ${name} limit ${limit + 1}) s) as seen
    from pg_class c where c.oid = to_regclass($1)`,
    [name],
  );
  const isSampled = Number(tableStatistics?.seen ?? 0) > limit;
  const estimate = Math.max(tableStatistics?.estimate ?? 0, limit + 1);
  const pages =
    isSampled && tableStatistics!.stored && tableStatistics!.estimate > 0
      ? `tablesample system (${Math.min(100, (300 * limit) / estimate)}) repeatable (1)`
      : '';
  const columnList = columns.map(escapeIdentifier).join(', ');
  const source = `(select ${columnList} from ${name} ${pages} limit ${limit}) s`;
  const measures = columns.map((column, index) => {
    const c = escapeIdentifier(column);
    return `count(${c}) as f${index}, count(distinct ${c}::text) as d${index}`;
  });
  const [measured] = await query<Record<string, string>>(
    `select count(*) as seen, ${measures.join(', ')} from ${source}`,
  );
  const seenRows = Number(measured!['seen']);
  const rows = isSampled ? Math.round(estimate) : seenRows;
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const c = escapeIdentifier(column);
    const distinct = Number(measured![`d${index}`]);
    const [extremes] = await query<{ low: string | null; high: string | null }>(
      `select left((select ${c}::text from ${source} where ${c} is not null order by s.${c} limit 1), ${MAX_TEXT_LENGTH}) as low,
        left((select ${c}::text from ${source} where ${c} is not null order by s.${c} desc limit 1), ${MAX_TEXT_LENGTH}) as high`,
    );
    const values =
      distinct > options.maxValues
        ? null
        : await query<{ v: string }>(
            `select ${c}::text as v from ${source} where ${c} is not null group by 1 order by count(*) desc, 1 limit ${Math.trunc(options.maxValues)}`,
          );
    const nulls = seenRows - Number(measured![`f${index}`]);
    profiles.push({
      table: table.table,
      column,
      rows,
      nulls: isSampled && seenRows > 0 ? Math.round((nulls / seenRows) * rows) : nulls,
      distinct: isSampled ? null : distinct,
      min: extremes!.low,
      max: extremes!.high,
      values: values?.map((row) => row.v) ?? null,
      sampled: isSampled,
    });
  }
  return profiles;
}
