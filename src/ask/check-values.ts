// Filter values against what the columns hold: the committed dictionary first, a governed probe where it cannot prove
// absence. Case, white space, accents and declared synonyms match; near spellings are offered, never applied.
import { distance } from 'fastest-levenshtein';
import type { Clarification } from '../contract/ask.ts';
import { type Condition, emptyIntent, type FieldRef, type Filter, type Intent } from '../lens/intent.ts';
import { datasetOfPath } from '../lens/join-paths.ts';
import { type Dictionary, findField, type LensField } from '../lens/lens.ts';
import { policiesFor } from '../lens/row-policies.ts';
import { readGoverned } from './governed-read.ts';
import type { GrantedLens } from './outcome.ts';

const PROBED_VALUES = 5_000;
const OFFERED = 50; // contract: at most 50 options
const EQUALITY = new Set<Condition['op']>(['=', '!=', 'in', 'not_in']);

export interface CheckedValues {
  intent: Intent;
  /** null: no filter on a text column. */
  known: boolean | null;
  notes: string[];
}

export interface ProbeLimits {
  timeoutMs: number;
  maxBytes: number;
  now: Date;
  signal: AbortSignal;
}

export async function checkValues(
  granted: GrantedLens,
  intent: Intent,
  choices: Record<string, string>,
  limits: ProbeLimits,
): Promise<CheckedValues | Clarification> {
  const checked: CheckedValues = { intent, known: null, notes: [] };
  const result = await checkFilters(granted, intent.filters, choices, limits, checked);
  if (!Array.isArray(result)) return result;
  return { ...checked, intent: { ...intent, filters: result } };
}

export const isClarification = (value: CheckedValues | Clarification): value is Clarification => 'kind' in value;

async function checkFilters(
  granted: GrantedLens,
  filters: Filter[],
  choices: Record<string, string>,
  limits: ProbeLimits,
  checked: CheckedValues,
): Promise<Filter[] | Clarification> {
  const result: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind === 'condition') {
      const one = await checkCondition(granted, filter, choices, limits, checked);
      if (one.kind !== 'condition') return one;
      result.push(one);
      continue;
    }
    const inner = await checkFilters(
      granted,
      filter.kind === 'exists' ? filter.where : filter.of,
      choices,
      limits,
      checked,
    );
    if (!Array.isArray(inner)) return inner;
    result.push((filter.kind === 'exists' ? { ...filter, where: inner } : { ...filter, of: inner }) as Filter);
  }
  return result;
}

async function checkCondition(
  granted: GrantedLens,
  condition: Condition,
  choices: Record<string, string>,
  limits: ProbeLimits,
  checked: CheckedValues,
): Promise<Condition | Clarification> {
  const { path, field: name } = condition.field;
  const dataset = datasetOfPath(granted.lens, path);
  const field = dataset && findField(dataset, name);
  if (field?.datatype !== 'string' || field.masked || condition.than || !EQUALITY.has(condition.op)) return condition;
  const term = `${path}.${name}`;
  const values: string[] = [];
  for (const asked of condition.values.map(String)) {
    const wanted = choices[term] ?? choices[name] ?? asked;
    const found = await storedSpellings(granted, condition.field, field, wanted, limits);
    if (found.stored.length > 0) {
      checked.known ??= true;
      if (!found.stored.includes(asked))
        checked.notes.push(
          `“${asked}” was read as ${found.stored.map((value) => `“${value}”`).join(' or ')} (${term}).`,
        );
      values.push(...found.stored);
    } else if (found.absence === 'proven') {
      return absent(granted, term, wanted, found.nearest);
    } else {
      checked.known = false;
      values.push(wanted);
    }
  }
  const distinct = [...new Set(values)];
  if (distinct.length <= 1) return { ...condition, values: distinct };
  const op = condition.op === '=' ? 'in' : condition.op === '!=' ? 'not_in' : condition.op;
  return { ...condition, op, values: distinct };
}

interface Spellings {
  stored: string[];
  absence: 'proven' | 'unknown';
  nearest: string[];
}

async function storedSpellings(
  granted: GrantedLens,
  ref: FieldRef,
  field: LensField,
  wanted: string,
  limits: ProbeLimits,
): Promise<Spellings> {
  const fromDictionary = field.dictionary ? matchInDictionary(field.dictionary, wanted) : [];
  if (fromDictionary.length > 0) return { stored: fromDictionary, absence: 'unknown', nearest: [] };
  if (field.dictionary?.complete) {
    return {
      stored: [],
      absence: 'proven',
      nearest: nearestFirst(
        field.dictionary.values.map(({ value }) => value),
        wanted,
      ),
    };
  }
  return probe(granted, ref, wanted, limits);
}

function matchInDictionary(dictionary: Dictionary, wanted: string): string[] {
  const folded = foldValue(wanted);
  const exact = dictionary.values.filter(({ value }) => foldValue(value) === folded);
  const matches =
    exact.length > 0
      ? exact
      : dictionary.values.filter(({ synonyms }) => synonyms.some((synonym) => foldValue(synonym) === folded));
  return matches.map(({ value }) => value);
}

// Reads as the asker: a value that a row policy hides is neither confirmed nor denied.
async function probe(granted: GrantedLens, ref: FieldRef, wanted: string, limits: ProbeLimits): Promise<Spellings> {
  const dataset = datasetOfPath(granted.lens, ref.path);
  const hidden = dataset !== undefined && policiesFor(granted.lens, dataset.name, granted.asker).length > 0;
  const read = async (filters: Filter[]) => {
    const intent = { ...emptyIntent(), dimensions: [{ path: ref.path, field: ref.field }], filters, distinct: true };
    const fetched = await readGoverned(granted.warehouse, granted.lens, granted.asker, intent, {
      ...limits,
      maxRows: PROBED_VALUES,
    });
    return {
      values: fetched.rows
        .map(([cell]) => cell)
        .filter((cell) => cell !== null && cell !== undefined)
        .map(String),
      more: fetched.more || fetched.bytesCut,
    };
  };
  const all = await read([]);
  const folded = foldValue(wanted);
  const matching = (values: string[]) => values.filter((value) => foldValue(value) === folded);
  let stored = matching(all.values);
  let complete = !all.more;
  if (stored.length === 0 && all.more) {
    const like = await read([
      {
        kind: 'condition',
        field: { path: ref.path, field: ref.field },
        op: 'contains',
        values: [wanted.trim()],
        caseInsensitive: true,
      },
    ]);
    stored = matching(like.values);
    // Accents and inner white space escape a pattern match, so only plain text can be proven absent this way.
    complete = !like.more && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(wanted.trim());
  }
  const absence = complete && !hidden ? 'proven' : 'unknown';
  return { stored, absence, nearest: absence === 'proven' ? nearestFirst(all.values, wanted) : [] };
}

/** Case, white space and accents do not tell values apart; nothing else is ignored. */
export const foldValue = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

export function nearestFirst(values: string[], wanted: string): string[] {
  const folded = foldValue(wanted);
  return values
    .map((value) => ({ value, away: distance(foldValue(value), folded) }))
    .sort((a, b) => a.away - b.away || (a.value < b.value ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ value }) => value);
}

function absent(granted: GrantedLens, term: string, value: string, options: string[]): Clarification {
  const shown = options
    .slice(0, 5)
    .map((option) => `“${option}”`)
    .join(', ');
  const message =
    options.length === 0
      ? `“${value}” is not a value of ${term} in lens ${granted.name}; the column holds no values.`
      : `“${value}” is not a value of ${term} in lens ${granted.name}. It holds ${shown}${options.length > 5 ? ' and others' : ''}. Ask again with the value you mean, or take the absence as the answer.`;
  return { kind: 'unknown_value', term, value, message, options };
}
