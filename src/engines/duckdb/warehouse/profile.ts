// Profiles a table of a DuckDB file. The first pass over a limited sample counts the values of all columns. The second
// pass finds frequent values.
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnProfile } from '../../../domain/ports.ts';
import { quoteName } from '../dialect/write-names.ts';

const MAX_TEXT_LENGTH = 500;

export async function profileDuckDbTable(
  connection: DuckDBConnection,
  table: { schema: string | null; table: string },
  columns: string[],
  options: { maxValues: number; sampleRows: number },
): Promise<ColumnProfile[]> {
  if (columns.length === 0) return [];
  const fetchRows = async (sql: string) => (await connection.run(sql)).getRowObjectsJson();
  const name = `${quoteName(table.schema ?? 'main')}.${quoteName(table.table)}`;
  const total = Number((await fetchRows(`select count(*) as n from ${name}`))[0]!['n']);
  const isSampled = total > options.sampleRows;
  // The sample has the same rows every time. Otherwise each profile would look like drift.
  const source = isSampled
    ? `${name} tablesample reservoir(${Math.trunc(options.sampleRows)} rows) repeatable (1)`
    : name;
  const measures = columns.map((column, index) => {
    const c = quoteName(column);
    return `count(${c}) as filled${index}, count(distinct ${c}) as distinct${index},
      left(min(${c})::varchar, ${MAX_TEXT_LENGTH}) as min${index}, left(max(${c})::varchar, ${MAX_TEXT_LENGTH}) as max${index}`;
  });
  const [measured] = await fetchRows(`select count(*) as seen, ${measures.join(', ')} from ${source}`);
  const seenRows = Number(measured!['seen']);
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const distinct = Number(measured![`distinct${index}`]);
    const c = quoteName(column);
    const values =
      distinct > options.maxValues
        ? null
        : await fetchRows(`select ${c}::varchar as v from ${source}
            where ${c} is not null group by ${c} order by count(*) desc, ${c} limit ${options.maxValues}`);
    const nulls = seenRows - Number(measured![`filled${index}`]);
    profiles.push({
      table: table.table,
      column,
      rows: total,
      nulls: isSampled && seenRows > 0 ? Math.round((nulls / seenRows) * total) : nulls,
      distinct: isSampled ? null : distinct,
      min: measured![`min${index}`] as string | null,
      max: measured![`max${index}`] as string | null,
      values: values?.map((row) => String(row['v'])) ?? null,
      sampled: isSampled,
    });
  }
  return profiles;
}
