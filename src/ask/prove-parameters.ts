// The values that a question fills into a parameterised entry, proven before it may run as certified: a stored value, in
// its stored spelling, or at least a name; never the words that turn a question over ("no account", "Acme or Globex").
import type { JsonValue } from '../contract/ask.ts';
import type { Followed } from '../domain/certified/follow-pattern.ts';
import type { FieldRef } from '../lens/intent.ts';
import type { Lens, LensField } from '../lens/lens.ts';
import { vocabularyOf } from '../planner/words/vocabulary.ts';
import { foldValue } from './check-values.ts';

export interface Filled {
  parameters: Record<string, JsonValue>;
  /** Names that no dictionary holds, with the field that they must be found in before the entry may run. */
  unproven: { name: string; field: FieldRef; value: string }[];
}

/** Null: what was filled in is no value. */
export function provenParameters(lens: Lens, { entry, parameters }: Followed): Filled | null {
  const filled: Filled = { parameters: {}, unproven: [] };
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string' || entry.parameters[name]?.datatype !== 'string') {
      if (!inCalendar(name, value)) return null;
      filled.parameters[name] = value;
      continue;
    }
    const compared = comparedWith(lens, entry.sql, name);
    const stored = storedAs(lens, compared, value);
    filled.parameters[name] = stored ?? value;
    if (stored !== null) continue;
    // Any word may be a stored name; where none can be looked for, nothing is one.
    const probed = compared.find(({ field }) => field.datatype === 'string' && !field.masked);
    if (!probed || compared.some(({ field }) => field.dictionary?.complete) || !isName(lens, value)) return null;
    filled.unproven.push({ name, field: { path: probed.dataset, field: probed.field.name }, value });
  }
  return filled;
}

/** The one stored spelling that dictionaries have for it. */
function storedAs(lens: Lens, compared: Compared[], text: string): string | null {
  const fields =
    compared.length > 0 ? compared.map(({ field }) => field) : lens.datasets.flatMap(({ fields: all }) => all);
  const stored = new Set(fields.flatMap((field) => inDictionary(field, text)));
  return stored.size === 1 ? [...stored][0]! : null;
}

interface Compared {
  dataset: string;
  field: LensField;
}
/** The listed fields whose column the statement compares with the parameter. */
function comparedWith(lens: Lens, sql: string, name: string): Compared[] {
  const compared = new RegExp(
    String.raw`([\w"]+)"?\s*\)?\s*(?:=|i?like|in\s*\()\s*(?:lower|upper)?\s*\(?\s*:${name}\b`,
    'gi',
  );
  const columns = new Set([...sql.matchAll(compared)].map((match) => match[1]!.replaceAll('"', '').toLowerCase()));
  return lens.datasets.flatMap(({ name: dataset, fields }) =>
    fields.filter((field) => columns.has(field.name.toLowerCase())).map((field) => ({ dataset, field })),
  );
}

const inDictionary = ({ dictionary, masked }: LensField, text: string): string[] => {
  if (masked || !dictionary) return [];
  const folded = foldValue(text);
  const exact = dictionary.values.filter(({ value }) => foldValue(value) === folded);
  const found =
    exact.length > 0
      ? exact
      : dictionary.values.filter(({ synonyms }) => synonyms.some((synonym) => foldValue(synonym) === folded));
  return found.map(({ value }) => value);
};

const TURNING =
  /\b(?:no|not|none|nobody|every|each|any|all|some|it|its|they|them|this|that|these|those|or|and|both|either|neither|other|another|than|except|without|only|most|least|more|less|top|best|worst|our|my|in|by|before|after|since)\b/i;
/** Words that turn nothing over, and none of the lens's own. */
const isName = (lens: Lens, text: string): boolean =>
  !TURNING.test(text) &&
  /^[\p{L}\p{M}\p{N} .,'’&@#+-]+$/u.test(text) &&
  !text.split(' ').some((word) => vocabularyOf(lens).phrases.has(word.toLowerCase()));

/** A parameter called year, quarter or month holds one. */
function inCalendar(name: string, value: JsonValue): boolean {
  if (typeof value !== 'number') return true;
  if (/year/i.test(name)) return value >= 1800 && value <= 2200;
  if (/quarter/i.test(name)) return value >= 1 && value <= 4;
  return !/month/i.test(name) || (value >= 1 && value <= 12);
}
