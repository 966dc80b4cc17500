// Detects the formats of dates and numbers in files, such as "Jun 12 1998", "29.07.2025" and "34,62". svc converts a
// column only if exactly one format fits all its values.
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../dialect/write-names.ts';

const NAMED_MONTH_FORMATS = [
  '%b %d %Y',
  '%b %d, %Y',
  '%B %d %Y',
  '%B %d, %Y',
  '%d %b %Y',
  '%d %B %Y',
  '%d-%b-%Y',
  '%d-%B-%Y',
  '%d. %B %Y',
];
const NUMERIC_DATE_FORMATS = ['%d.%m.%Y', '%Y/%m/%d', '%Y.%m.%d', '%d/%m/%Y', '%m/%d/%Y', '%d-%m-%Y', '%m-%d-%Y'];
const DATE_ONLY_FORMATS = [...NAMED_MONTH_FORMATS, ...NUMERIC_DATE_FORMATS].map((format) => ({ format, type: 'date' }));
const TIMESTAMP_FORMATS = NUMERIC_DATE_FORMATS.flatMap((day) =>
  ['%H:%M', '%H:%M:%S', '%I:%M %p'].map((time) => ({ format: `${day} ${time}`, type: 'timestamp' })),
);
const DATE_FORMATS = [...DATE_ONLY_FORMATS, ...TIMESTAMP_FORMATS];
const FORMAT_LETTERS: Record<string, string> = {
  ...{ '%d': 'DD', '%m': 'MM', '%Y': 'YYYY', '%b': 'Mon', '%B': 'Month' },
  ...{ '%H': 'HH', '%I': 'HH', '%M': 'MM', '%S': 'SS', '%p': 'AM' },
};
const replaceFormatSpecifiers = (format: string): string =>
  format.replaceAll(/%\w/g, (part) => FORMAT_LETTERS[part] ?? part);
/** `confirms` matches values that fit only this one of the two formats. */
const COMMA_FORMAT = {
  fits: '[+-]?([0-9]+|[0-9]{1,3}([.][0-9]{3})+)(,[0-9]+)?',
  confirms: '.*(,[0-9]{1,2}|,[0-9]{4,}|[.][0-9]{3},[0-9]+)',
};
const POINT_FORMAT = {
  fits: '[+-]?[0-9]{1,3}(,[0-9]{3})*([.][0-9]+)?',
  confirms: '.*(,[0-9]{3}[.][0-9]+|,[0-9]{3},[0-9]{3}.*)',
};
const MAX_DECIMAL_DIGITS = 38;
const MIN_DECIMAL_DIGITS = 18;

const NUMBER_FORMATS = [COMMA_FORMAT, POINT_FORMAT];
const FIRST_ROW_COUNT = 200; // if no format fits the first rows of a column, svc doesn't read its other rows

export interface ColumnConversion {
  sql: string;
  /** Describes the original format, such as "a date written as Mon DD YYYY". */
  description: string;
}
interface ColumnFormats {
  formats: typeof DATE_FORMATS;
  hasFourDigitYears: boolean;
  numberFormats: typeof NUMBER_FORMATS;
  digits: number;
}

export async function detectConversions(
  connection: DuckDBConnection,
  columns: readonly string[],
  source: string,
): Promise<Map<string, ColumnConversion>> {
  const readings = new Map<string, ColumnConversion>();
  for (const name of columns) {
    const text = `nullif(trim(${quoteName(name)}), '')`;
    const firstRows = `(from ${source} limit ${FIRST_ROW_COUNT})`;
    const likelyFormats = await detectFormats(connection, text, firstRows, {
      formats: DATE_FORMATS,
      numberFormats: NUMBER_FORMATS,
    });
    if (likelyFormats.formats.length + likelyFormats.numberFormats.length === 0) continue;
    const detectedFormats = await detectFormats(connection, text, source, likelyFormats);
    // The value "May 3 1999" fits two formats, because the short and the long name of the month are the same.
    const reading =
      detectedFormats.formats.find(({ format }) => /%[bB]/.test(format)) ??
      (detectedFormats.formats.length === 1 ? detectedFormats.formats[0] : undefined);
    const [numberFormat, otherFormat] = await confirmFormats(connection, text, source, detectedFormats.numberFormats);
    if (reading && detectedFormats.hasFourDigitYears)
      readings.set(name, {
        sql: `strptime(${text}, '${reading.format}')::${reading.type}`,
        description: `a ${reading.type} written as ${replaceFormatSpecifiers(reading.format)}`,
      });
    else if (numberFormat && !otherFormat && detectedFormats.digits <= MAX_DECIMAL_DIGITS) {
      const scale = await findScale(connection, text, source, numberFormat);
      const plainNumber =
        numberFormat === COMMA_FORMAT ? `replace(replace(${text}, '.', ''), ',', '.')` : `replace(${text}, ',', '')`;
      readings.set(name, {
        sql: `${plainNumber}::decimal(${Math.max(MIN_DECIMAL_DIGITS, detectedFormats.digits)}, ${scale})`,
        description: `a number with a decimal ${numberFormat === COMMA_FORMAT ? 'comma' : 'point'}`,
      });
    }
  }
  return readings;
}

async function detectFormats(
  connection: DuckDBConnection,
  text: string,
  source: string,
  candidateFormats: Pick<ColumnFormats, 'formats' | 'numberFormats'>,
): Promise<ColumnFormats> {
  const allPassSql = (tests: string[]): string =>
    `[${tests.map((test) => `coalesce(bool_and(${test}), false)`).join(', ')}]`;
  const testResult = await connection.runAndReadAll(
    `select ${allPassSql(candidateFormats.formats.map(({ format }) => `try_strptime(${text}, '${format}') is not null`))},
      ${allPassSql([`regexp_matches(${text}, '[0-9]{4}')`])}, ${allPassSql(candidateFormats.numberFormats.map(({ fits }) => `regexp_full_match(${text}, '${fits}')`))},
      coalesce(max(length(regexp_replace(${text}, '[^0-9]', '', 'g'))), 0) from ${source}`,
  );
  const [formats, [allMatch], numberMatches, digits] = testResult.getRowsJson()[0] as [
    boolean[],
    boolean[],
    boolean[],
    number,
  ];
  return {
    formats: candidateFormats.formats.filter((_format, index) => formats[index]),
    hasFourDigitYears: allMatch === true,
    numberFormats: candidateFormats.numberFormats.filter((_format, index) => numberMatches[index]),
    digits: Number(digits),
  };
}

/**
 * Keeps formats that fit all values and that at least one value confirms. For example, "1,234" fits both number formats
 * and confirms neither of them.
 */
async function confirmFormats(
  connection: DuckDBConnection,
  text: string,
  source: string,
  numberFormats: typeof NUMBER_FORMATS,
) {
  if (numberFormats.length === 0) return [];
  const tests = numberFormats.map(
    ({ confirms }) => `coalesce(bool_or(regexp_full_match(${text}, '${confirms}')), false)`,
  );
  const testResult = await connection.runAndReadAll(`select [${tests.join(', ')}] from ${source}`);
  const [confirms] = testResult.getRowsJson()[0] as [boolean[]];
  return numberFormats.filter((_format, index) => confirms[index]);
}

async function findScale(
  connection: DuckDBConnection,
  text: string,
  source: string,
  numberFormat: (typeof NUMBER_FORMATS)[number],
) {
  const point = numberFormat === COMMA_FORMAT ? ',' : '[.]';
  const testResult = await connection.runAndReadAll(
    `select max(length(regexp_extract(${text}, '${point}([0-9]*)$', 1))) from ${source}`,
  );
  return Number(testResult.getRowsJson()[0]![0]);
}

/** Returns the columns that DuckDB reads as dates although the file writes the dates differently from SQL. */
export async function findNonSqlDateColumns(
  connection: DuckDBConnection,
  columns: readonly string[],
  source: string,
): Promise<string[]> {
  if (columns.length === 0) return [];
  const datePatternTests = columns.map(
    (name) => `coalesce(bool_and(regexp_matches(trim(${quoteName(name)}), '^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}')), true)`,
  );
  const testResult = await connection.runAndReadAll(`select [${datePatternTests.join(', ')}] from ${source}`);
  const [sqlDateFlags] = testResult.getRowsJson()[0] as [boolean[]];
  return columns.filter((_name, index) => !sqlDateFlags![index]);
}
