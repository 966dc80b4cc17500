// Reads current column values, because a dictionary is a cache and can be out of date. svc does this before it reports
// a value as absent or a word as unknown.

import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import { type Dictionary, findField, type Lens, type LensDataset, type LensField } from '../../../lens/model/lens.ts';
import { type Condition, emptyPlan } from '../../../plan/lens-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import { inParallel } from '../../../platform/schedule/in-parallel.ts';
import { isFiller } from '../../../reader/words/filler-words.ts';
import { tokenise } from '../../../reader/words/tokens.ts';
import type { GrantedLens } from '../../outcome.ts';
import { readGoverned } from '../../run/governed-read.ts';
import { type ProbeLimits, readColumn } from './probe-values.ts';
import { spellingsIn } from './value-spellings.ts';

const READ_MS = 5_000;
const PROBE_MS = 2_000; // short, because the words may not be values
const CONCURRENCY = 3;
const MAX_FIELDS = 12; // fields of one dataset
const MAX_DATASETS = 8;
const MAX_RUN_WORDS = 4; // maximum length of a value
const MAX_FORMS = 200;
const MAX_ROWS = 100;

interface CalledField {
  dataset: LensDataset;
  field: LensField;
  ref: Condition['field'];
}
/** The field of a clarification, by `dataset.field` or `role.field`. */
export function fieldCalled(lens: Lens, term: string): CalledField | null {
  const at = term.lastIndexOf('.');
  const ref = { path: term.slice(0, at), field: term.slice(at + 1) };
  const dataset = datasetOfPath(lens, ref.path);
  const field = dataset && findField(dataset, ref.field);
  return dataset && field ? { dataset, field, ref } : null;
}

/** The lens with the current values of `dataset.field`, or null if the dictionary has the same values. */
export async function withCurrentField(granted: GrantedLens, term: string, limits: ProbeLimits): Promise<Lens | null> {
  const found = fieldCalled(granted.lens, term);
  if (!found?.field.dictionary || found.field.masked) return null;
  const { dictionary: before } = found.field;
  const now = await dictionaryNow(granted, found.ref, before, limits);
  const same = now.complete && now.values.length === before.values.length && now.values.every(isIn(before));
  if (same) return null;
  if (now.complete) limits.lagging?.(granted);
  return withDictionaries(granted.lens, new Map([[found.field, now]]));
}

const isIn =
  (dictionary: Dictionary) =>
  ({ value }: { value: string }): boolean =>
    dictionary.values.some((item) => item.value === value);

async function dictionaryNow(
  granted: GrantedLens,
  ref: Condition['field'],
  before: Dictionary,
  limits: ProbeLimits,
): Promise<Dictionary> {
  try {
    const { values, more } = await readColumn(granted, ref, [], withTimeout(limits, READ_MS));
    const synonyms = new Map(before.values.map((value) => [value.value, value.synonyms]));
    const read = values.map((value) => ({ value, synonyms: synonyms.get(value) ?? [] }));
    return more ? withReadValues(before, read) : { values: read, complete: true };
  } catch (fault) {
    if (!isTooSlow(fault, limits)) throw fault;
    return { ...before, complete: false };
  }
}
const withReadValues = (before: Dictionary, read: Dictionary['values']): Dictionary => ({
  values: [...before.values, ...read.filter((item) => !isIn(before)(item))],
  complete: false,
});
const withTimeout = (limits: ProbeLimits, timeoutMs: number): ProbeLimits => ({
  ...limits,
  timeoutMs: Math.min(limits.timeoutMs, timeoutMs),
});
const isTooSlow = (fault: unknown, { signal }: ProbeLimits): boolean =>
  fault instanceof Problem && (fault.code === 'timeout' || fault.code === 'upstream') && !signal.aborted;

/** The lens with the words that are stored now but missing in the dictionaries, or null if there are none. */
export async function withCurrentWords(
  granted: GrantedLens,
  question: string,
  unplaced: readonly string[],
  limits: ProbeLimits,
): Promise<Lens | null> {
  const texts = runsWithUnknownWord(question, unplaced);
  if (texts.length === 0) return null;
  const datasets = granted.lens.datasets
    .map((dataset) => ({ dataset, fields: dataset.fields.filter(isCached).slice(0, MAX_FIELDS) }))
    .filter(({ fields }) => fields.length > 0)
    .slice(0, MAX_DATASETS);
  const found = new Map<LensField, Dictionary>();
  await inParallel(datasets, CONCURRENCY, async ({ dataset, fields }) => {
    for (const [field, values] of await newValuesIn(granted, dataset, fields, texts, withTimeout(limits, PROBE_MS)))
      found.set(field, {
        ...withReadValues(
          field.dictionary!,
          values.map((value) => ({ value, synonyms: [] })),
        ),
        complete: true,
      });
  });
  if (found.size === 0) return null;
  limits.lagging?.(granted);
  return withDictionaries(granted.lens, found);
}

const isCached = ({ datatype, masked, dictionary }: LensField): boolean =>
  datatype === 'string' && !masked && dictionary?.complete === true;

/** Reads all columns of the dataset in one query, and returns which strings are new values. */
async function newValuesIn(
  granted: GrantedLens,
  { name: path }: LensDataset,
  fields: LensField[],
  texts: string[],
  limits: ProbeLimits,
): Promise<Map<LensField, string[]>> {
  const values = [...new Set(texts.flatMap(formsOf))].slice(0, MAX_FORMS);
  const lensPlan = {
    ...emptyPlan(),
    dimensions: fields.map(({ name }) => ({ path, field: name })),
    filters: [
      {
        any: fields.map(({ name }): Condition => ({ field: { path, field: name }, op: 'in', values })),
      },
    ],
    distinct: true,
  };
  const found = new Map<LensField, string[]>();
  try {
    const { rows } = await readGoverned(granted, lensPlan, {
      ...limits,
      maxRows: MAX_ROWS,
    });
    for (const [columnIndex, field] of fields.entries()) {
      const cells = new Set(rows.flatMap((row) => (typeof row[columnIndex] === 'string' ? [row[columnIndex]] : [])));
      const newValues = [...cells].filter(
        (cell) =>
          !isIn(field.dictionary!)({ value: cell }) && texts.some((text) => spellingsIn([cell], text).length > 0),
      );
      if (newValues.length > 0) found.set(field, newValues);
    }
  } catch (fault) {
    if (!isTooSlow(fault, limits)) throw fault;
  }
  return found;
}

/**
 * The string in common uppercase and lowercase forms. The column itself stays unchanged, so that the query can use an
 * index.
 */
function formsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  const title = lower.replace(/(^|[\s-])\p{L}/gu, (letter) => letter.toUpperCase());
  return [text, lower, text.toUpperCase(), first, title].flatMap((form) => [form, form.replaceAll(' ', '_')]);
}

/** The short runs of words in the question that contain an unknown word. */
function runsWithUnknownWord(question: string, unplaced: readonly string[]): string[] {
  const { list, text } = tokenise(question);
  const open = new Set(unplaced.map((word) => word.toLowerCase()));
  const isWord = list.map((token) => token.kind !== 'punct' && /\p{L}/u.test(token.text));
  const runs: string[] = [];
  for (const [from, first] of list.entries())
    for (let to = from; to < Math.min(list.length, from + MAX_RUN_WORDS) && isWord[to]; to++) {
      const run = list.slice(from, to + 1);
      const placed = !run.some((token) => open.has(token.text.toLowerCase()) || open.has(token.norm));
      if (placed || run.every(({ norm }) => isFiller(norm))) continue;
      runs.push(run.length === 1 && first.kind === 'quoted' ? first.text : text.slice(first.start, list[to]!.end));
    }
  return runs;
}

export const withDictionaries = (lens: Lens, read: ReadonlyMap<LensField, Dictionary>): Lens => ({
  ...lens,
  datasets: lens.datasets.map((dataset) => ({
    ...dataset,
    fields: dataset.fields.map((field) => (read.has(field) ? { ...field, dictionary: read.get(field)! } : field)),
  })),
});
