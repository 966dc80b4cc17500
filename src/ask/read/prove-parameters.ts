// Checks the values that a question fills into a parameterized entry, without a query. Each value must be in a
// dictionary, or must at least look like a name. svc uses the stored spelling of a value from a dictionary. Words that
// change the meaning don't pass ("no account", "Acme or Globex").
import type { JsonScalar } from '../../contract/ask.ts';
import type { PatternMatch } from '../../domain/certified/match-pattern.ts';
import type { Lens, LensDataset, LensField } from '../../lens/model/lens.ts';
import { getVocabulary } from '../../reader/words/vocabulary.ts';
import { findMatchingValues } from './values/value-spellings.ts';

export interface FilledParameters {
  parameters: Record<string, JsonScalar>;
  /** True if a name isn't in any dictionary. svc then runs the entry only if the warehouse stores the name. */
  unproven: boolean;
}

/** Returns null if a string that the question fills in can't be a value. */
export function proveParameters(lens: Lens, { entry, parameters }: PatternMatch): FilledParameters | null {
  const filledParameters: FilledParameters = { parameters: {}, unproven: false };
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string' || entry.parameters[name]?.datatype !== 'string') {
      if (!isInCalendarRange(name, value)) return null;
      filledParameters.parameters[name] = value;
      continue;
    }
    const comparedColumns = findComparedColumns(lens, entry.sql, name);
    const storedText = findStoredSpelling(lens, comparedColumns, value);
    filledParameters.parameters[name] = storedText ?? value;
    if (storedText !== null) continue;
    // Any word can be a stored name, but svc needs a column in which to look the word up.
    const hasColumn = comparedColumns.some(({ field }) => field.datatype === 'string' && !field.masked);
    if (!hasColumn || !isPlainName(lens, value)) return null;
    filledParameters.unproven = true;
  }
  return filledParameters;
}

/** The stored spelling of a string, if the dictionaries contain exactly one. */
function findStoredSpelling(lens: Lens, comparedColumns: ComparedColumn[], text: string): string | null {
  const fields =
    comparedColumns.length > 0
      ? comparedColumns.map(({ field }) => field)
      : lens.datasets.flatMap(({ fields: datasetFields }) => datasetFields);
  const storedValues = new Set(
    fields.flatMap(({ dictionary, masked }) => (masked || !dictionary ? [] : findMatchingValues(dictionary, text))),
  );
  return storedValues.size === 1 ? [...storedValues][0]! : null;
}

export interface ComparedColumn {
  dataset: LensDataset;
  field: LensField;
}
/** The fields whose column the statement compares with the whole parameter. */
export function findComparedColumns(lens: Lens, sql: string, name: string): ComparedColumn[] {
  const columns = new Set(
    [createColumnBeforePattern(name), createColumnAfterPattern(name)].flatMap((pattern) =>
      [...sql.matchAll(pattern)].map((match) => match[1]!.replaceAll(/["`]/g, '').toLowerCase()),
    ),
  );
  return lens.datasets.flatMap((dataset) =>
    dataset.fields.filter((field) => columns.has(field.name.toLowerCase())).map((field) => ({ dataset, field })),
  );
}
const WRAPPING_CALLS_PATTERN = String.raw`(?:(?:lower|upper|trim|cast)\s*\(\s*)*`;
const COLUMN_PATTERN = String.raw`([\w"\x60]+)["\x60]?(?:::\w+)?\s*\)*\s*`;
/** Matches `lower(category) = lower(:name)` and `category in (:other, :name)`, but not `category like :name || '%'`. */
const createColumnBeforePattern = (name: string): RegExp =>
  new RegExp(
    String.raw`${COLUMN_PATTERN}(?:=|<>|!=|(?:not\s+)?i?like|(?:not\s+)?in\s*\((?:\s*:\w+\s*,)*)\s*${WRAPPING_CALLS_PATTERN}:${name}\b(?!\s*\|\|)`,
    'gi',
  );
const createColumnAfterPattern = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<!\|\|\s*):${name}\s*\)*\s*(?:=|<>|!=)\s*${WRAPPING_CALLS_PATTERN}(?:\w+\.)?${COLUMN_PATTERN}`,
    'gi',
  );

const MEANING_WORDS_PATTERN =
  /\b(?:no|not|none|nobody|every|each|any|all|some|it|its|they|them|this|that|these|those|or|and|both|either|neither|other|another|than|except|without|only|most|least|more|less|top|best|worst|our|my|in|by|before|after|since)\b/i;
/** Returns true if the string has neither a word that changes a question's meaning nor a name from the lens. */
const isPlainName = (lens: Lens, text: string): boolean =>
  !MEANING_WORDS_PATTERN.test(text) &&
  /^[\p{L}\p{M}\p{N} .,'’&@#+-]+$/u.test(text) &&
  !text.split(' ').some((word) => getVocabulary(lens).phrases.has(word.toLowerCase()));

/** False if the parameter is called year, quarter or month, and the value is out of range for such a period. */
function isInCalendarRange(name: string, value: JsonScalar): boolean {
  if (typeof value !== 'number') return true;
  if (/year/i.test(name)) return value >= 1800 && value <= 2200;
  if (/quarter/i.test(name)) return value >= 1 && value <= 4;
  return !/month/i.test(name) || (value >= 1 && value <= 12);
}
