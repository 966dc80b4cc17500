// Profiles the first rows of a table, for engines that can't sample every table.
import type { ColumnProfile } from '../../domain/ports.ts';

const MAX_TEXT_LENGTH = 500;
const withLimitClause = (select: string, rows: number): string => `${select} limit ${rows}`;

export interface ProfileSyntax {
  quote(name: string): string;
  /** Returns SQL to use instead of a column that the engine can't compare or cast. Default: the column itself. */
  comparableColumn?(name: string): string;
  /** Returns SQL that counts the distinct values exactly. Default: count(DISTINCT …). */
  countDistinct?(column: string): string;
  castToText(value: string): string;
  /** Returns SQL for the first characters of a string. Default: left(…). */
  firstCharacters?(text: string, count: number): string;
  /** Limits the rows of a SELECT. Default: a LIMIT clause at the end. */
  limitRows?(select: string, rows: number): string;
}
interface ProfiledTable {
  catalog?: string | null;
  schema: string | null;
  table: string;
  /** SQL after the table's name that samples the table, such as TABLESAMPLE. */
  sample?: string;
}

export async function profileFirstRows(
  {
    quote,
    comparableColumn = quote,
    countDistinct = (column) => `count(distinct ${column})`,
    castToText,
    firstCharacters = (text, count) => `left(${text}, ${count})`,
    limitRows = withLimitClause,
  }: ProfileSyntax,
  query: (sql: string) => Promise<unknown[][]>,
  { catalog = null, schema, table, sample = '' }: ProfiledTable,
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
  const [[count] = []] = await query(
    `select count(*) from (${limitRows(`select 1 as one from ${name}`, limit + 1)}) s`,
  );
  const isSampled = Number(count) > limit;
  const columnList = columns.map((column) => `${comparableColumn(column)} as ${quote(column)}`).join(', ');
  const source = `(${limitRows(`select ${columnList} from ${name}`, limit)}) s`;
  const measures = columns.map(quote).map((column) => `count(${column}), ${countDistinct(column)}`);
  const extremes = columns
    .map(quote)
    .flatMap((column) =>
      ['min', 'max'].map((end) => firstCharacters(castToText(`${end}(${column})`), MAX_TEXT_LENGTH)),
    );
  const [measured = []] = await query(`select count(*), ${[...measures, ...extremes].join(', ')} from ${source}`);
  const seenRows = Number(measured[0]);
  const profiles: ColumnProfile[] = [];
  for (const [index, column] of columns.entries()) {
    const c = quote(column);
    const distinctCount = Number(measured[2 + index * 2]);
    const values =
      distinctCount > maxValues
        ? null
        : await query(
            limitRows(
              `select ${castToText(c)} as svc_value from ${source} where ${c} is not null group by ${c}
               order by count(*) desc, svc_value`,
              Math.trunc(maxValues),
            ),
          );
    const endValue = (endIndex: number): string | null => {
      const value = measured[1 + columns.length * 2 + index * 2 + endIndex];
      return value === null || value === undefined ? null : String(value);
    };
    profiles.push({
      table,
      column,
      rows: seenRows,
      nulls: seenRows - Number(measured[1 + index * 2]),
      distinct: isSampled ? null : distinctCount,
      min: endValue(0),
      max: endValue(1),
      values: values?.map(([value]) => String(value)) ?? null,
      sampled: isSampled,
    });
  }
  return profiles;
}
