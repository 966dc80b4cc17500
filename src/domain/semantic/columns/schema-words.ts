// Interprets the names of a schema together: common prefixes of tables and of columns ("sbcust" of sbcustname), and
// words without separators ("hiredt", "postalcode").
import { expandAbbreviations, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toSingular } from '../../../lens/model/singular.ts';
import type { CatalogColumn, CatalogTable, ColumnProfile } from '../../ports.ts';
import { toPlainTableNames } from './table-words.ts';

/** The steps of a draft add the information that they find in the rows. */
export interface NamedTable extends CatalogTable {
  columns: NamedColumn[];
  /** The name for one row: "daily price" for sbDailyPrice. */
  rowNoun: string;
  /** All names, without separators, by which other tables can refer to this table: "customer", "custmst", "cust". */
  nameForms: ReadonlySet<string>;
  /** The full names among `nameForms`, such as "crmcustomer", but not parts of a name, such as "customer". */
  fullNames: ReadonlySet<string>;
  /** The number of rows in which svc found the primary key unique. Absent for a declared key. */
  foundKeyRows?: number;
}
export interface NamedColumn extends CatalogColumn {
  /** The name in words, without abbreviations: "hire date" for vtvethiredt. */
  words: string;
  /** The name as written, without the prefix of the table: "hiredt". */
  bareName: string;
  /** Absent if svc read no values of the column. */
  profile?: ColumnProfile | undefined;
}
const AFFIX_PATTERN =
  /^(?:dim|fact|fct|tbl|tb|stg|vw|mart|ref|lkp|lookup|mst|t)_(?=[a-z])|_(?:tbl|tab|table|master|mst|hdr|header|dim|fact|vw|t|entity|data)$/;
const COMPOUND_ENDINGS =
  `id name nm date dt datetime time timestamp ts code cd no num nbr number amount amt qty quantity price prc cost fee type typ
   status sts state key pct percent rate count cnt flag yn kg km cm ms address addr email phone city country currency symbol
   exchange method reason desc description limit level year month total score title value balance volume by`.split(
    /\s+/,
  );
const COMPOUND_STARTS = new Set(
  `birth hire join left start end due open close unit stock fee line order ship postal zip first last full total net gross tax
   sales purchase phone email street home mobile work change changed create created update updated modified city state country
   customer user product price payment invoice account item event login daily monthly weekly sign visit list cost max min avg
   num sub main parent bill paid book delivery temp date time epoch company group`.split(/\s+/),
);
/** Single words that look like two words. */
const UNSPLITTABLE_WORD_PATTERN =
  /^(?:paid|bid|grid|void|valid|rapid|solid|fluid|hybrid|candidate|update|mandate|validate|estate|overtime|lifetime|volume|subtotal|surname|nickname|filename|hostname|discount|account|amount|prototype|barcode|passcode|monkey|turkey|honey|comfort|alternate|separate|aggregate|corporate|generate|certificate|estimate|climate|private|template|debate|donate|rotate|plate|date|late)$/;

/** The result has the order of `tables`. */
export function* readSchemaInSteps(tables: readonly CatalogTable[]): Generator<void, NamedTable[]> {
  const namedTables = new Map<CatalogTable, NamedTable>();
  for (const schema of new Set(tables.map(({ schema }) => schema)))
    for (const [table, namedTable] of readTables(tables.filter((table) => table.schema === schema))) {
      namedTables.set(table, namedTable);
      yield;
    }
  return tables.map((table) => namedTables.get(table)!);
}

function* readTables(tables: readonly CatalogTable[]): Generator<[CatalogTable, NamedTable]> {
  const commonPrefix = findSharedPrefix(
    tables.map(({ table }) => table.toLowerCase()),
    3,
  );
  const plainNames = toPlainTableNames(tables.map(({ table }) => table.slice(commonPrefix.length)));
  const bareTables = plainNames.map((name) => name.replace(AFFIX_PATTERN, ''));
  const tableNouns = new Set([...bareTables, ...bareTables.map(toSingular)]);
  for (const [index, table] of tables.entries()) {
    const bareTable = bareTables[index]!;
    const prefix = findColumnPrefix(table, bareTable, tableNouns);
    const prefixWord = removeSeparators(
      prefix.toLowerCase().startsWith(commonPrefix) ? prefix.slice(commonPrefix.length) : prefix,
    );
    const otherNouns = new Set([...tableNouns].filter((noun) => noun !== bareTable && noun !== toSingular(bareTable)));
    const rowNoun = toSingular(splitWords(expandAbbreviations(bareTable), otherNouns, false));
    const [firstPart, ...otherParts] = bareTable.split('_');
    // For example, crm is the prefix of crm_customers, crm_calls and crm_notes if there is no table crm.
    const hasPrefix =
      bareTables.filter((name) => name.startsWith(`${firstPart}_`)).length >= 3 && !tableNouns.has(firstPart!);
    const tableNames = [rowNoun, expandAbbreviations(bareTable), bareTable, toSnakeCase(table.table), prefixWord]
      .map((item) => removeSeparators(toSingular(item)))
      .filter((item) => item.length > 1);
    yield [
      table,
      {
        ...table,
        rowNoun,
        nameForms: new Set([
          ...tableNames,
          ...(hasPrefix && otherParts.join('').length > 1 ? [removeSeparators(toSingular(otherParts.join('_')))] : []),
        ]),
        fullNames: new Set(tableNames),
        columns: table.columns.map((column) => {
          const bareName = column.name.slice(prefix.length).replace(/^_+/, '');
          return {
            ...column,
            bareName,
            words: expandAbbreviations(splitWords(expandAbbreviations(bareName), tableNouns, prefix !== '')),
          };
        }),
      },
    ];
  }
}

export const removeSeparators = (name: string): string => toSnakeCase(name).replaceAll('_', '');

function findSharedPrefix(names: readonly string[], minNames: number): string {
  if (names.length < minNames) return '';
  let prefix = names[0]!;
  for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
  // If names have separators, the prefix ends at a separator.
  if (names.some((name) => name.includes('_'))) prefix = prefix.slice(0, prefix.lastIndexOf('_') + 1);
  return prefix.length >= 2 && names.every((name) => name.length >= prefix.length + 2) ? prefix : '';
}

/**
 * In a table with few columns, only the table's own name is a prefix: the columns citing and cited have no prefix. The
 * name of another table is never a prefix: customer_id and customer_tier refer to that table.
 */
function findColumnPrefix(table: CatalogTable, bareTable: string, tableNouns: ReadonlySet<string>): string {
  const names = table.columns.map(({ name }) => name);
  if (names.some((name) => /[a-z][A-Z]/.test(name))) return findCamelCasePrefix(names);
  const prefix = findSharedPrefix(
    names.map((name) => name.toLowerCase()),
    2,
  );
  const isTableName = removeSeparators(prefix) === toSingular(bareTable.replaceAll('_', ''));
  if (isTableName) return prefix;
  // A prefix can abbreviate the table's name, as in the columns c_name and c_phone of customers.
  if (prefix === `${bareTable[0]}_`) return names.length >= 3 ? prefix : '';
  if (prefix.replace(/_+$/, '').length < 2 || (prefix.length < 3 && !prefix.endsWith('_'))) return '';
  return names.length >= 4 && !tableNouns.has(prefix.replace(/_+$/, '')) ? prefix : '';
}
/** The prefix ends at a word boundary, such as "cust" in custId and custName. */
function findCamelCasePrefix(names: readonly string[]): string {
  const prefix = findSharedPrefix(names, 3);
  const ends = [...prefix]
    .map((_letter, index) => index + 1)
    .filter((end) => names.every((name) => /[A-Z]/.test(name[end] ?? '')));
  return prefix.slice(0, ends.at(-1) ?? 0);
}

/** Splits "postalcode" into "postal code". `allowsAnyStart` is for tables with a column prefix. */
function splitWords(words: string, tableNouns: ReadonlySet<string>, allowsAnyStart: boolean): string {
  return words
    .split(' ')
    .map((word) => splitWord(word, tableNouns, allowsAnyStart))
    .join(' ');
}
function splitWord(word: string, tableNouns: ReadonlySet<string>, allowsAnyStart: boolean): string {
  if (word.length < 4 || UNSPLITTABLE_WORD_PATTERN.test(word) || tableNouns.has(word) || COMPOUND_STARTS.has(word))
    return word;
  const ends = [...COMPOUND_ENDINGS, ...tableNouns].filter(
    (end) => end.length > 1 && word.length > end.length + 1 && word.endsWith(end),
  );
  for (const end of ends.sort((a, b) => b.length - a.length)) {
    const wordStart = word.slice(0, -end.length);
    const splitStart = splitWord(wordStart, tableNouns, allowsAnyStart);
    const isPhrase = COMPOUND_STARTS.has(wordStart) || tableNouns.has(wordStart) || splitStart.includes(' ');
    const isPrefixed = wordStart.length > 2 && (tableNouns.has(end) ? end.length > 3 : allowsAnyStart);
    if (isPhrase || isPrefixed) return `${splitStart} ${end}`;
  }
  return allowsAnyStart && /^temp[cfk]$/.test(word) ? `temp ${word.at(-1)}` : word;
}
