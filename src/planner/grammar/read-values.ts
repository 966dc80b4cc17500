// Values: stored ones found by their text, numbers, quoted strings, and words that stand where a value must stand but that
// no dictionary holds. The last are asked back when the dictionary is complete, and left to be proven when it is not.
import type { Scalar } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { isNumeric } from '../words/datatypes.ts';
import { foldValue } from '../words/tokens.ts';
import type { Cursor, ValueMatch } from './cursor.ts';
import type { ConditionOption, FieldCandidate } from './draft.ts';

/** A value of this field at the head: known, or taken as written when it is quoted, capitalised or a code. */
export interface FieldValue {
  length: number;
  value: Scalar;
  known: boolean;
  synonym?: string;
}

const entryFor = (matches: ValueMatch[], dataset: string, field: LensField): FieldValue | null => {
  for (const { length, entries } of matches) {
    const entry = entries.find((one) => one.dataset === dataset && one.field === field);
    if (entry) return { length, value: entry.value, known: true, synonym: entry.synonym };
  }
  return null;
};

/** A run of words that looks like a name: capitals, codes, with small words inside. */
const nameRun = (c: Cursor, offset: number): number => {
  const looksNamed = (at: number): boolean => {
    const token = c.token(at);
    return (
      token !== undefined &&
      (token.kind === 'word' || token.kind === 'number') &&
      (token.capital || /\d/.test(token.text)) &&
      !(at > 0 && c.phraseIsName(at))
    );
  };
  if (!looksNamed(offset) || c.time(offset)) return 0;
  let length = 1;
  for (let at = offset + 1; c.token(at); ) {
    if (looksNamed(at)) {
      length = at - offset + 1;
      at++;
    } else if (/^(?:the|a|of|to|and|in|de|la|for|on|&|'|-|\.)$/.test(c.norm(at)) && looksNamed(at + 1)) at++;
    else break;
  }
  return length;
};

/** "SKU-0009" names its field and is the value: looked up whole, and taken apart only where a part of it is stored. */
const wholeCode = (c: Cursor, dataset: string, field: LensField, offset: number, free: boolean): FieldValue | null => {
  const code = c.code(offset);
  const at = c.at + offset;
  if (!code || code.from >= at) return null;
  const before = c.tokens.slice(code.from, at).filter(({ kind }) => kind !== 'punct');
  if (!c.vocabulary.phrases.has(before.map(({ stem }) => stem).join(' '))) return null;
  const length = code.to + 1 - at;
  const whole = entryFor(c.values(code.from - c.at), dataset, field);
  if (whole && whole.length === code.to + 1 - code.from) return { ...whole, length };
  if (!free || entryFor(c.values(offset), dataset, field)) return null;
  return { length, value: c.rawText(code.from, code.to + 1 - code.from), known: false };
};

export const fieldValueAt = (
  c: Cursor,
  dataset: string,
  field: LensField,
  offset = 0,
  free = true,
): FieldValue | null => {
  const token = c.token(offset);
  if (!token) return null;
  if (field.datatype === 'boolean') {
    if (/^(?:true|yes|t|y)$/.test(token.norm)) return { length: 1, value: true, known: true };
    return /^(?:false|no|f|n)$/.test(token.norm) ? { length: 1, value: false, known: true } : null;
  }
  if (isNumeric(field.datatype)) {
    return token.kind === 'number' && !token.unit ? { length: 1, value: token.value!, known: true } : null;
  }
  if (field.datatype !== 'string') return null;
  const whole = wholeCode(c, dataset, field, offset, free);
  if (whole) return whole;
  const stored = entryFor(c.values(offset), dataset, field);
  const run = free ? nameRun(c, offset) : 0;
  if (stored && stored.length >= run) return stored;
  // "Ben Jones and Michael Chang" are two.
  const after = stored ? offset + stored.length : 0;
  if (stored && /^(?:and|or)$/.test(c.norm(after)) && entryFor(c.values(after + 1), dataset, field)) return stored;
  if (token.kind === 'quoted') return { length: 1, value: token.text, known: false };
  if (!free) return stored;
  if (run > 0) return { length: run, value: c.rawText(c.at + offset, run), known: false };
  return stored;
};

/** Options for a value named for one of several fields. Those whose dictionary knows it win over those that do not. */
export const optionsFor = (c: Cursor, candidates: FieldCandidate[], offset = 0, free = true) => {
  const options: (ConditionOption & { length: number })[] = [];
  for (const { dataset, role, fields, loose } of candidates) {
    if (fields.length === 2) {
      const pair = personAt(c, dataset, fields as [LensField, LensField], offset, free);
      if (pair) options.push({ ...pair, role, loose });
      continue;
    }
    const field = fields[0]!;
    const found = field.masked ? null : fieldValueAt(c, dataset, field, offset, free);
    if (found)
      options.push({
        dataset,
        role,
        field,
        values: [found.value],
        known: found.known,
        synonym: found.synonym,
        loose,
        length: found.length,
      });
  }
  const known = options.filter((option) => option.known);
  const kept = known.length > 0 ? known : options;
  const longest = Math.max(0, ...kept.map((option) => option.length));
  return kept.filter((option) => option.length === longest);
};

/** First and last name side by side. */
export const personAt = (c: Cursor, dataset: string, fields: [LensField, LensField], offset = 0, free = false) => {
  const [first, last] = fields;
  if (first.masked || last.masked) return null;
  const quoted = c.token(offset)?.kind === 'quoted';
  if (quoted) {
    const parts = c.token(offset)!.text.split(' ');
    if (parts.length !== 2) return null;
    const left = stored(first, parts[0]!);
    const right = stored(last, parts[1]!);
    return {
      dataset,
      field: first,
      values: [left ?? parts[0]!],
      known: left !== null && right !== null,
      loose: 0,
      length: 1,
      and: [{ field: last, values: [right ?? parts[1]!], known: right !== null }],
    };
  }
  const one = entryFor(c.values(offset), dataset, first);
  const middle = offset + (one?.length ?? 1);
  const two = entryFor(c.values(middle), dataset, last);
  const named = (at: number) => c.token(at)?.kind === 'word' && c.token(at)!.capital;
  if (!one && !(named(offset) && (two || free))) return null;
  if (!two && !(named(middle) && (one || free))) return null;
  const length = (one?.length ?? 1) + (two?.length ?? 1);
  return {
    dataset,
    field: first,
    values: [one?.value ?? c.token(offset)!.text],
    known: Boolean(one && two),
    loose: 0,
    length,
    and: [{ field: last, values: [two?.value ?? c.token(middle)!.text], known: Boolean(two) }],
    ...(one ? { firstKnown: true } : {}),
  };
};
const stored = (field: LensField, text: string): string | null => {
  const folded = foldValue(text);
  const found = field.dictionary?.values.find(
    ({ value, synonyms }) => foldValue(value) === folded || synonyms.some((synonym) => foldValue(synonym) === folded),
  );
  return found?.value ?? null;
};
