// Reads the values that this caller can see and that no committed dictionary has. Also reads current values before svc
// reports an unknown word, because a dictionary can be out of date.

import { MAX_SQL_LENGTH } from '../../../guard/raw-text.ts';
import type { Dictionary, Lens, LensDataset, LensField } from '../../../lens/model/lens.ts';
import { findPolicies } from '../../../lens/policies/row-policies.ts';
import { type Condition, createEmptyPlan } from '../../../plan/lens-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import { SharedReads } from '../../../platform/shared-reads.ts';
import { isFillerWord } from '../../../reader/words/filler-words.ts';
import { tokenizeQuestion } from '../../../reader/words/tokens.ts';
import type { GrantedLens } from '../../outcome.ts';
import { fetchGovernedRows } from '../../run/governed-read.ts';
import { type ProbeLimits, readColumnValues, toViewKey } from './probe-values.ts';
import { findSpellings } from './value-spellings.ts';

const PROBE_TIMEOUT_MS = 2_000; // a short time, because the words may not be values
const MAX_CONCURRENT_READS = 3;
const MAX_FIELDS = 12; // fields of one dataset
const MAX_DATASETS = 8;
const MAX_PHRASE_WORDS = 4; // maximum length of a value
const MAX_CASE_VARIANTS = 200;
/** The guard refuses longer statements (`MAX_SQL_LENGTH`). Quotes can double the length of a value. */
const MAX_CONDITION_LENGTH = MAX_SQL_LENGTH / 2; // characters
const MAX_FOUND_ROWS = 100;

const isWarehouseFault = (fault: unknown, { signal }: ProbeLimits): boolean =>
  fault instanceof Problem && (fault.code === 'timeout' || fault.code === 'upstream') && !signal.aborted;

/**
 * Adds to the lens the words of the question that the warehouse stores now but no dictionary has. Returns null if there
 * are no such words.
 */
export async function withCurrentWords(
  grantedLens: GrantedLens,
  question: string,
  unplacedWords: readonly string[],
  limits: ProbeLimits,
): Promise<Lens | null> {
  const texts = listPhrasesWithUnknownWord(question, unplacedWords);
  if (texts.length === 0) return null;
  const datasets = grantedLens.lens.datasets
    .map((dataset) => ({ dataset, fields: dataset.fields.filter(hasCompleteDictionary).slice(0, MAX_FIELDS) }))
    .filter(({ fields }) => fields.length > 0)
    .slice(0, MAX_DATASETS);
  const dictionaries = new Map<LensField, Dictionary>();
  await mapInParallel(datasets, MAX_CONCURRENT_READS, async ({ dataset, fields }) => {
    const timeoutMs = Math.min(limits.timeoutMs, PROBE_TIMEOUT_MS);
    for (const [field, values] of await findNewValues(grantedLens, dataset, fields, texts, { ...limits, timeoutMs })) {
      const newValues = values.map((value) => ({ value, synonyms: [] }));
      dictionaries.set(field, { values: [...field.dictionary!.values, ...newValues], complete: true });
    }
  });
  if (dictionaries.size === 0) return null;
  limits.onOutdatedDictionary?.(grantedLens);
  return withDictionaries(grantedLens.lens, dictionaries);
}

const hasCompleteDictionary = ({ datatype, masked, dictionary }: LensField): boolean =>
  datatype === 'string' && !masked && dictionary?.complete === true;

/** Reads all columns of the dataset in one query, and returns which strings are new values. */
async function findNewValues(
  grantedLens: GrantedLens,
  { name: path }: LensDataset,
  fields: LensField[],
  texts: string[],
  limits: ProbeLimits,
): Promise<Map<LensField, string[]>> {
  const values = takeFittingValues([...new Set(texts.flatMap(listCaseVariants))], fields.length);
  const lensPlan = {
    ...createEmptyPlan(),
    dimensions: fields.map(({ name }) => ({ path, field: name })),
    filters: [
      {
        any: fields.map(({ name }): Condition => ({ field: { path, field: name }, op: 'in', values })),
      },
    ],
    distinct: true,
  };
  const valuesByField = new Map<LensField, string[]>();
  try {
    const { rows } = await fetchGovernedRows(grantedLens, lensPlan, {
      ...limits,
      maxRows: MAX_FOUND_ROWS,
    });
    for (const [columnIndex, field] of fields.entries()) {
      const cells = new Set(rows.flatMap((row) => (typeof row[columnIndex] === 'string' ? [row[columnIndex]] : [])));
      const newValues = [...cells].filter(
        (cell) =>
          !field.dictionary!.values.some(({ value }) => value === cell) &&
          texts.some((text) => findSpellings([cell], text).length > 0),
      );
      if (newValues.length > 0) valuesByField.set(field, newValues);
    }
  } catch (fault) {
    if (!isWarehouseFault(fault, limits)) throw fault;
  }
  return valuesByField;
}

/** Returns the first values, up to the number that fits into a condition on each of the fields. */
function takeFittingValues(values: string[], fieldCount: number): string[] {
  const fittingValues: string[] = [];
  let length = 0;
  for (const value of values.slice(0, MAX_CASE_VARIANTS)) {
    length += (value.length + "'', ".length) * fieldCount;
    if (length > MAX_CONDITION_LENGTH) break;
    fittingValues.push(value);
  }
  return fittingValues;
}

/**
 * Returns the string in common uppercase and lowercase forms. The query applies no function to the column, so that the
 * engine can use an index.
 */
function listCaseVariants(text: string): string[] {
  const lowercase = text.toLowerCase();
  const sentenceCase = lowercase.charAt(0).toUpperCase() + lowercase.slice(1);
  const title = lowercase.replace(/(^|[\s-])\p{L}/gu, (letter) => letter.toUpperCase());
  return [text, lowercase, text.toUpperCase(), sentenceCase, title].flatMap((form) => [
    form,
    form.replaceAll(' ', '_'),
  ]);
}

/** The short sequences of words in the question that contain an unknown word. */
function listPhrasesWithUnknownWord(question: string, unplacedWords: readonly string[]): string[] {
  const { tokens: list, text } = tokenizeQuestion(question);
  const unknownWords = new Set(unplacedWords.map((word) => word.toLowerCase()));
  const isWord = list.map((token) => token.kind !== 'punct' && /\p{L}/u.test(token.text));
  const wordRuns: string[] = [];
  for (const [from, firstToken] of list.entries())
    for (let to = from; to < Math.min(list.length, from + MAX_PHRASE_WORDS) && isWord[to]; to++) {
      const wordRun = list.slice(from, to + 1);
      const hasNoUnknownWord = !wordRun.some(
        (token) => unknownWords.has(token.text.toLowerCase()) || unknownWords.has(token.norm),
      );
      if (hasNoUnknownWord || wordRun.every(({ norm }) => isFillerWord(norm))) continue;
      wordRuns.push(
        wordRun.length === 1 && firstToken.kind === 'quoted'
          ? firstToken.text
          : text.slice(firstToken.start, list[to]!.end),
      );
    }
  return wordRuns;
}

const withDictionaries = (lens: Lens, dictionaries: ReadonlyMap<LensField, Dictionary>): Lens => ({
  ...lens,
  datasets: lens.datasets.map((dataset) => ({
    ...dataset,
    fields: dataset.fields.map((field) =>
      dictionaries.has(field) ? { ...field, dictionary: dictionaries.get(field)! } : field,
    ),
  })),
});

const MAX_PROBED_FIELDS = 12;
const MAX_VALUE_LENGTH = 200; // characters

/**
 * svc reads the values only if the lens can't explain a word of the question, or if a row policy applies. svc caches
 * the values for half a minute for each view of the data.
 */
const vocabularyReads = new SharedReads<Lens>({ max: 200, ttlMs: 30_000 });

/** Returns the lens with its missing dictionaries filled in for this caller, or null if no dictionary is missing. */
export function buildLensForCaller(grantedLens: GrantedLens, limits: ProbeLimits): Promise<Lens | null> {
  const unlistedFields = grantedLens.lens.datasets
    .flatMap((dataset) => dataset.fields.filter(isProbedField).map((field) => ({ dataset, field })))
    .sort((a, b) => Number(b.field.dictionaryFromWarehouse) - Number(a.field.dictionaryFromWarehouse))
    .slice(0, MAX_PROBED_FIELDS);
  if (unlistedFields.length === 0) return Promise.resolve(null);
  return vocabularyReads.get(toViewKey(grantedLens), limits.signal, () =>
    fillDictionaries(grantedLens, unlistedFields, limits),
  );
}

const isProbedField = (field: LensField): boolean =>
  field.datatype === 'string' && !field.masked && field.dictionary === null;

async function fillDictionaries(
  grantedLens: GrantedLens,
  unlistedFields: { dataset: LensDataset; field: LensField }[],
  limits: ProbeLimits,
): Promise<Lens> {
  const dictionaries = new Map<LensField, Dictionary>();
  for (const { dataset, field } of unlistedFields) {
    const { values, more } = await readColumnValues(grantedLens, { path: dataset.name, field: field.name }, [], limits);
    const shortValues = values.filter((value) => value.length <= MAX_VALUE_LENGTH);
    // Marks no dictionary as complete if a policy hides rows. svc must neither confirm nor deny a hidden value, so it
    // can't prove that a value is absent.
    const hasHiddenRows = findPolicies(grantedLens.lens, dataset.name, grantedLens.caller).length > 0;
    dictionaries.set(field, {
      values: shortValues.map((value) => ({ value, synonyms: [] })),
      complete: !more && !hasHiddenRows && shortValues.length === values.length,
    });
  }
  return withDictionaries(grantedLens.lens, dictionaries);
}
