// Finds unambiguous words for fields, datasets, metrics and values.

import type { LensDataset } from '../../lens/model/lens.ts';
import { toPlural, toSingular } from '../../lens/model/singular.ts';
import type { FieldRef } from '../../plan/lens-plan.ts';
import { findDefaultTimeField, type SentenceNames, throwNoSentence } from '../../plan/sentence/names.ts';
import { isParticiple } from '../english/inflection.ts';
import { COUNT_NOUNS } from '../english/words.ts';
import { findPhraseMeanings, PHRASE_WORDS } from '../hypotheses/phrase-meanings.ts';
import { countsDistinct } from '../words/distinct-count.ts';
import { splitWords } from '../words/phrase-key.ts';
import { FUNCTION_WORD_PATTERN } from '../words/phrase-table.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { VocabularyTerm } from '../words/vocabulary-term.ts';

const separateWords = (name: string): string => splitWords(name).join(' ');

const requireUnambiguousName = (
  vocabulary: Vocabulary,
  phrases: readonly string[],
  hasMeaning: (term: VocabularyTerm) => boolean,
): string =>
  phrases.find((candidate) => {
    const terms = vocabulary.phrases.get(vocabulary.key(candidate)) ?? [];
    return terms.length > 0 && terms.every(hasMeaning);
  }) ?? throwNoSentence();
const isPhraseWord = (word: string): boolean => PHRASE_WORDS.has(word) || COUNT_NOUNS.has(word);

const listDatasetNames = ({ name, synonyms }: Pick<LensDataset, 'name' | 'synonyms'>): string[] =>
  [name, ...synonyms].map(separateWords);

export const findFieldName = (vocabulary: Vocabulary, { path, field: name }: FieldRef): string => {
  const dataset = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? throwNoSentence());
  const field = dataset.fields.find((field) => field.name === name) ?? throwNoSentence();
  const role = path === dataset.name ? undefined : path;
  const owners = role ? [separateWords(role)] : listDatasetNames(dataset).map(toSingular);
  // The field is_urgent also has the name "urgent", as in "where urgent".
  const flags =
    field.datatype === 'boolean' ? listDatasetNames(field).flatMap((title) => /^is (.+)/.exec(title)?.[1] ?? []) : [];
  // Prefers nouns to names that contain words such as "discounted" or "off".
  const isNoun = (title: string): boolean => !isParticiple(title) && !FUNCTION_WORD_PATTERN.test(title);
  const ownTitles = [...flags, ...listDatasetNames(field).sort((a, b) => +isNoun(b) - +isNoun(a))];
  return requireUnambiguousName(
    vocabulary,
    [
      ...(role ? [] : ownTitles.filter((title) => !isPhraseWord(title) && (isNoun(title) || ownTitles.length === 1))),
      ...owners.flatMap((owner) => ownTitles.map((title) => `${owner} ${title}`)),
    ],
    (term) => term.kind === 'field' && term.field === field && term.dataset === dataset.name && term.role === role,
  );
};

const findEntityName = (vocabulary: Vocabulary, path: string, inflect: (text: string) => string): string => {
  const dataset = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? throwNoSentence());
  const role = path === dataset.name ? undefined : path;
  const names = role ? [separateWords(role)] : listDatasetNames(dataset);
  return requireUnambiguousName(
    vocabulary,
    names.map(inflect),
    (term) => term.kind !== 'dataset' || (term.dataset === dataset.name && term.role === role),
  );
};
export const findSingularName = (vocabulary: Vocabulary, path: string): string =>
  findEntityName(vocabulary, path, toSingular);
export const findPluralName = (vocabulary: Vocabulary, path: string): string =>
  findEntityName(vocabulary, path, toPlural);

export const findMetricName = (vocabulary: Vocabulary, name: string): string => {
  const metric = vocabulary.lens.metrics.find((metric) => metric.name === name) ?? throwNoSentence();
  // A metric often has the same name as the field that it sums. Such a field makes the name ambiguous only if the field
  // identifies entities.
  const means = (term: VocabularyTerm): boolean =>
    term.kind === 'metric'
      ? term.metric === metric
      : term.kind === 'definition' || (term.kind === 'field' && term.identity === undefined);
  const names = listDatasetNames(metric);
  const ownTitle = names.find((title) => vocabulary.phrases.get(vocabulary.key(title))?.every(means));
  if (ownTitle || !countsDistinct(metric)) return ownTitle ?? throwNoSentence();
  // The word "customers" means a list of customers, so svc writes a metric with this name as "number of customers".
  return `number of ${toPlural(requireUnambiguousName(vocabulary, names, (term) => means(term) || term.kind === 'field' || term.kind === 'dataset'))}`;
};

/** Words that have another meaning even where the grammar expects a value. */
const isReserved = (value: string): boolean =>
  FUNCTION_WORD_PATTERN.test(value) ||
  /^missing$/i.test(value) ||
  findPhraseMeanings(value).some(({ cat }) => cat === 'agg');

/**
 * Writes a stored value, in quotes unless it consists of words that start with a letter and mean nothing else. Doubles
 * quotation marks in the value.
 */
export const formatStoredValue = (vocabulary: Vocabulary, value: string): string =>
  /^\p{L}[\p{L}\p{N}]*(?:[ -]\p{L}[\p{L}\p{N}]*)*$/u.test(value) &&
  !isReserved(value) &&
  !vocabulary.phrases.has(vocabulary.key(value))
    ? value
    : `"${value.replace(/["“”„«»]/g, '$&$&')}"`;

/** Creates names that the reader resolves to the same objects again. */
export const createRoundTripNames = (vocabulary: Vocabulary): SentenceNames => ({
  lens: vocabulary.lens,
  field: (ref) => findFieldName(vocabulary, ref),
  singular: (path) => findSingularName(vocabulary, path),
  plural: (path) => findPluralName(vocabulary, path),
  metric: (name) => findMetricName(vocabulary, name),
  value: (value) => formatStoredValue(vocabulary, value),
  isName: (phrase) => vocabulary.phrases.has(vocabulary.key(phrase)),
  usualDate: (path) => findDefaultTimeField(vocabulary.lens, path),
  shownFieldsOf: ({ name }) =>
    vocabulary
      .displayFieldsOf(name)
      .filter(({ masked }) => !masked)
      .map((item) => item.name),
  describeIfAllowed: throwNoSentence,
});
