// The values that a question fills into a parameterised entry, proven before it may run as certified: a stored value, in
// its stored spelling, or at least a name; never the words that turn a question over ("no account", "Acme or Globex").
import type { JsonValue } from '../contract/ask.ts';
import type { Followed } from '../domain/certified/follow-pattern.ts';
import type { Lens, LensField } from '../lens/lens.ts';
import { vocabularyOf } from '../planner/vocabulary.ts';
import { foldValue } from './check-values.ts';

/** Null: what was filled in is no value. */
export function provenParameters(lens: Lens, { entry, parameters }: Followed): Record<string, JsonValue> | null {
  const proven: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const found =
      typeof value === 'string' && entry.parameters[name]?.datatype === 'string'
        ? provenText(lens, entry.sql, name, value)
        : inCalendar(name, value)
          ? value
          : null;
    if (found === null) return null;
    proven[name] = found;
  }
  return proven;
}

function provenText(lens: Lens, sql: string, name: string, text: string): string | null {
  const fields = comparedWith(lens, sql, name);
  const stored = new Set(
    fields.length > 0
      ? fields.flatMap((field) => inDictionary(field, text))
      : lens.datasets.flatMap(({ fields: all }) => all.flatMap((field) => inDictionary(field, text))),
  );
  if (stored.size === 1) return [...stored][0]!;
  if (stored.size > 1 || fields.some(({ dictionary }) => dictionary?.complete)) return null;
  return isName(lens, text) ? text : null;
}

/** The listed fields whose column the statement compares with the parameter. */
function comparedWith(lens: Lens, sql: string, name: string): LensField[] {
  const compared = new RegExp(
    String.raw`([\w"]+)"?\s*\)?\s*(?:=|i?like|in\s*\()\s*(?:lower|upper)?\s*\(?\s*:${name}\b`,
    'gi',
  );
  const columns = new Set([...sql.matchAll(compared)].map((match) => match[1]!.replaceAll('"', '').toLowerCase()));
  return lens.datasets.flatMap(({ fields }) => fields.filter((field) => columns.has(field.name.toLowerCase())));
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
/** Written as names are, and none of the lens's own words. */
const isName = (lens: Lens, text: string): boolean =>
  !TURNING.test(text) &&
  text.split(' ').every((word) => /^[\p{Lu}\d]|[\d@]/u.test(word)) &&
  !text.split(' ').some((word) => vocabularyOf(lens).phrases.has(word.toLowerCase()));

/** A parameter called year, quarter or month holds one. */
function inCalendar(name: string, value: JsonValue): boolean {
  if (typeof value !== 'number') return true;
  if (/year/i.test(name)) return value >= 1800 && value <= 2200;
  if (/quarter/i.test(name)) return value >= 1 && value <= 4;
  return !/month/i.test(name) || (value >= 1 && value <= 12);
}
