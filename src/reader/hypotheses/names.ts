// Finds names of the lens in a span of words.

import { isNumeric } from '../../contract/warehouse.ts';
import type { LensDefinition, LensMetric } from '../../lens/model/lens.ts';
import { parsePlainFilter } from '../../lens/model/plain-filter.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { findGrammaticalNumber, findStem } from '../english/inflection.ts';
import {
  COUNT_NOUNS,
  INDEFINITE_ARTICLES,
  NAME_NOUNS,
  OPTIONAL_NAME_NOUNS,
  POLITE_WORDS,
  STOP_WORDS,
} from '../english/words.ts';
import { isSingleField } from '../meaning/name-resolution.ts';
import { createValuePredicate } from '../meaning/operators/building.ts';
import {
  createEntities,
  createField,
  createMeasure,
  createValue,
  type EntityCandidate,
  type FieldCandidate,
  type Term,
} from '../meaning/terms.ts';
import { findDatatypeKind } from '../words/datatypes.ts';
import { findDistinctField, isCountMetric } from '../words/distinct-count.ts';
import { groupByKey } from '../words/group-by-key.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { QuestionToken } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { VocabularyTerm as Naming, VocabularyField } from '../words/vocabulary-term.ts';
import { findPhraseMeanings } from './phrase-meanings.ts';
import { joinTokenTexts, type WordHypothesis } from './word-hypothesis.ts';

/** Finds the names that start at a word, including forms such as "type of food" for food_type. */
export const findNameHypotheses = (
  tokens: readonly QuestionToken[],
  start: number,
  vocabulary: Vocabulary,
): WordHypothesis[] => {
  const leaves: WordHypothesis[] = [];
  const followsArticle = INDEFINITE_ARTICLES.has(tokens[start - 1]?.norm ?? '');
  for (let to = start + 1; to <= Math.min(tokens.length, start + vocabulary.maxPhraseWords + 1); to++) {
    const span = tokens.slice(start, to);
    if (span.some(({ kind, norm }) => kind === 'quoted' || (kind === 'punct' && !/^[-_/&]$/.test(norm)))) break;
    const stems = span.flatMap(({ stem: root, kind }) => (kind === 'punct' ? [] : [root]));
    const keys = [stems.join(' ')];
    const ofIndex = stems.indexOf('of');
    const owner = ofIndex > 0 ? (vocabulary.phrases.get(stems.slice(ofIndex + 1).join(' ')) ?? []) : [];
    // The grammar combines a field and an entity, as in "email of customers". But "type of food" can be a single name.
    const hasOwner = owner.some(({ kind }) => kind === 'dataset');
    if (ofIndex > 0 && ofIndex < stems.length - 1 && !hasOwner && !COUNT_NOUNS.has(stems[0]!))
      keys.push([...stems.slice(ofIndex + 1), ...stems.slice(0, ofIndex)].join(' '));
    keys.push(...findHyphenatedKeys(span, stems));
    const exactTerms = [...new Set(keys)].flatMap((key) => vocabulary.phrases.get(key) ?? []);
    const terms = exactTerms.length > 0 ? exactTerms : findLooseNameMatches(stems, span, vocabulary);
    if (terms.length === 0 || stems.every((stem) => COUNT_NOUNS.has(stem))) continue;
    const lastNoun = span[Math.max(0, ofIndex < 0 ? span.length - 1 : ofIndex - 1)]!;
    const number = findGrammaticalNumber(lastNoun.norm);
    for (const term of createNameTerms(vocabulary, terms, joinTokenTexts(tokens, start, to), number))
      leaves.push({
        from: start,
        to,
        cat: term.t,
        term: term.t === 'field' && followsArticle ? markAsIndefinite(term) : term,
      });
  }
  return leaves;
};

/**
 * Finds other spellings of a hyphenated name. For example, "check-ins" can be written checkins, or be the plural of
 * check-in.
 */
function findHyphenatedKeys(span: readonly QuestionToken[], stems: readonly string[]): string[] {
  const last = span.at(-1)!;
  if (!last.hyphenated || span.length < 2) return [];
  const [, particle] = /^(in|out|up|off|on)s?$/.exec(last.norm) ?? [];
  return [
    ...(span.length === 2 ? [findStem(`${span[0]!.norm}${last.norm}`)] : []),
    ...(particle ? [particle, `${particle}s`] : []).map((form) => [...stems.slice(0, -1), form].join(' ')),
  ];
}

const markAsIndefinite = (term: Term): Term => ({ ...term, features: [...term.features, 'indefinite'] });

const isOnlyName = ({ norm }: QuestionToken): boolean =>
  !STOP_WORDS.has(norm) && !POLITE_WORDS.has(norm) && !COUNT_NOUNS.has(norm) && findPhraseMeanings(norm).length === 0;

/**
 * Finds shorter or longer forms of names if no name matches exactly. Examples are "freight" for freight amount,
 * "country name" for country, "number of citations" for citation number, and "transactions" for wallet transactions.
 */
const findLooseNameMatches = (
  stems: readonly string[],
  span: readonly QuestionToken[],
  vocabulary: Vocabulary,
): Naming[] => {
  if (span.length === 1 && !isOnlyName(span[0]!)) return [];
  const fieldsOf = (key: string): VocabularyField[] =>
    (vocabulary.phrases.get(key) ?? []).filter((term): term is VocabularyField => term.kind === 'field');
  const key = stems.join(' ');
  if (COUNT_NOUNS.has(stems[0]!) && stems[1] === 'of') {
    const rest = stems.slice(2).join(' ');
    const restTerms = vocabulary.phrases.get(rest) ?? [];
    if (restTerms.some(({ kind }) => kind === 'dataset')) return [];
    return [...COUNT_NOUNS]
      .flatMap((item) => fieldsOf(`${rest} ${item}`))
      .filter(({ field: { datatype } }) => isNumeric(datatype));
  }
  if (!span.every(isOnlyName)) return [];
  const shorterFields = [...OPTIONAL_NAME_NOUNS].flatMap((noun) => fieldsOf(`${key} ${noun}`)).map(toLooseName);
  if (shorterFields.length > 0) return shorterFields;
  if (stems.length > 1 && NAME_NOUNS.has(stems.at(-1)!)) {
    const namedFields = fieldsOf(stems.slice(0, -1).join(' ')).filter(
      ({ field: { name, datatype } }) => datatype === 'string' && !KEY_NAME_PATTERN.test(name),
    );
    if (namedFields.length > 0) return namedFields;
  }
  const dataset = findUniqueWordSequences(vocabulary).get(key);
  if (dataset) return [{ kind: 'dataset', dataset }];
  for (let splitIndex = 1; splitIndex < stems.length; splitIndex++) {
    const owner = findUniqueWordSequences(vocabulary).get(stems.slice(0, splitIndex).join(' '));
    const ownFields = owner
      ? fieldsOf(stems.slice(splitIndex).join(' ')).filter((field) => field.dataset === owner && field.loose < 2)
      : [];
    if (ownFields.length > 0) return ownFields;
  }
  return [];
};
/** A key isn't a name, so "patient name" doesn't mean the field patient_id. */
const KEY_NAME_PATTERN = /(?:^|_)(?:id|key|code|no|nr|number)$/i;
const toLooseName = (term: VocabularyField): VocabularyField => ({ ...term, loose: term.loose === 0 ? 1 : term.loose });

/** Returns the sequences of words that occur in the name of exactly one dataset. */
const findUniqueWordSequences = computeOnce(({ lens }: Vocabulary): ReadonlyMap<string, string> => {
  const wordSequences = lens.datasets.flatMap(({ name }) => {
    const parts = splitWords(name).map(findStem);
    const sequences = parts.flatMap((_, from) =>
      parts.slice(from).map((_, at) => parts.slice(from, from + at + 1).join(' ')),
    );
    return [...new Set(sequences)].filter((sequence) => sequence.length > 3).map((sequence) => ({ sequence, name }));
  });
  return new Map(
    [...groupByKey(wordSequences, ({ sequence }) => sequence)].flatMap(([sequence, [first, second]]) =>
      first && !second ? [[sequence, first.name]] : [],
    ),
  );
});

const findCountedEntities = (metric: LensMetric, vocabulary: Vocabulary): EntityCandidate[] => {
  const { path, field: name } = findDistinctField(metric) ?? {};
  if (path === undefined || path !== metric.home) return [];
  const matchingField = vocabulary.dataset(path).fields.find((field) => field.name === name && !field.masked);
  return matchingField
    ? [{ dataset: path, by: { dataset: path, fields: [matchingField], loose: 0, identity: 'key' } }]
    : [];
};

const SUM_PATTERN = /^sum\s*\(\s*(?:(\w+)\.)?(\w+)\s*\)$/i;
/** Returns true if the metric sums integers that have no unit, such as the number of items sold. */
const sumsIntegers = ({ expression, home, unit }: LensMetric, { graph, dataset }: Vocabulary): boolean => {
  const [, path, name] = SUM_PATTERN.exec(expression) ?? [];
  const datasetName = path === undefined ? home : graph.datasetOf(path);
  const summedField = datasetName ? dataset(datasetName).fields.find((field) => field.name === name) : undefined;
  return summedField?.datatype === 'integer' && summedField.unit === null && unit === null;
};

/**
 * Returns true if the metric's name contains the plural of this key. The word "total" before the name then means a
 * count or a sum.
 */
const hasPluralName = ({ name, synonyms }: LensMetric, key: string, { key: keyOf }: Vocabulary) => {
  const sameNames = [name, ...synonyms].filter((item) => keyOf(item) === key);
  return (sameNames.length > 0 ? sameNames : [name]).every(
    (item) => findGrammaticalNumber(splitWords(item).at(-1) ?? '') === 'many',
  );
};
/** Creates one field term for each kind of datatype, because constructions accept only certain kinds. */
const createFieldTerms = (phrase: string, options: readonly FieldCandidate[], number: 'one' | 'many'): Term[] =>
  [...groupByKey(options, ({ fields }) => findDatatypeKind(fields[0]!.datatype))].map(([kind, sameKind]) =>
    createField(phrase, sameKind, [kind, number]),
  );

function createNameTerms(
  vocabulary: Vocabulary,
  namings: readonly Naming[],
  phrase: string,
  number: 'one' | 'many',
): Term[] {
  const exactDatasets = new Set(
    namings.flatMap((naming) => (naming.kind === 'field' && naming.loose === 0 ? [naming.dataset] : [])),
  );
  const fields = namings.flatMap((naming): FieldCandidate[] => {
    if (naming.kind === 'names') return [{ dataset: naming.dataset, fields: naming.fields, loose: 0 }];
    // If a field of a dataset has exactly this name, leaves out other fields of the dataset. For example, "order id"
    // means the field order_id and not the key of a dataset called orders.
    if (naming.kind !== 'field' || (naming.loose > 0 && exactDatasets.has(naming.dataset))) return [];
    const { dataset, role, field, loose, identity } = naming;
    return [{ dataset, role, fields: [field], loose, identity }];
  });
  const datasets = namings.flatMap((naming) =>
    naming.kind === 'dataset' ? [{ dataset: naming.dataset, role: naming.role }] : [],
  );
  const terms = createFieldTerms(phrase, fields, number);
  if (datasets.length > 0) terms.push(createEntities(phrase, datasets, [], [number, 'rows']));
  const values = fields.filter((field) => isSingleField(field) && canNameEntities(field));
  if (values.length > 0 && datasets.length === 0) {
    const entities = values.map((by) => ({ dataset: by.dataset, role: by.role, by }));
    terms.push(createEntities(phrase, entities, [], [number, 'values']));
  }
  const definitions = namings.flatMap((naming) => (naming.kind === 'definition' ? [naming.definition] : []));
  terms.push(...definitions.flatMap((definition) => createDefinedTerms(phrase, definition, number, vocabulary)));
  const governedMetrics = definitions.flatMap(({ senses, metric }) =>
    senses.length === 0 ? vocabulary.lens.metrics.filter(({ name }) => name === metric) : [],
  );
  const metrics = [
    ...new Set([...namings.flatMap((naming) => (naming.kind === 'metric' ? [naming.metric] : [])), ...governedMetrics]),
  ];
  // A metric can count distinct orders although the dataset called orders has several rows for each order.
  const countedEntities = (datasets.length > 0 ? metrics : governedMetrics).flatMap((item) =>
    findCountedEntities(item, vocabulary),
  );
  if (countedEntities.length > 0) terms.push(createEntities(phrase, countedEntities, [], [number, 'rows', 'once']));
  if (metrics.length > 0) {
    const isThing = terms.some(({ t }) => t === 'things');
    const areUnits = metrics.every(
      (metric) => isCountMetric(metric) || (number === 'many' && sumsIntegers(metric, vocabulary)),
    );
    const isSingle =
      number === 'one' && metrics.every((metric) => hasPluralName(metric, vocabulary.key(phrase), vocabulary));
    terms.push(
      createMeasure({ is: 'metric', metrics, called: phrase, predicates: [] }, [
        'metric',
        ...(isThing ? ['thing'] : []),
        ...(areUnits ? ['units'] : []),
        ...(isSingle ? ['single'] : []),
      ]),
    );
  }
  return terms;
}

/** Returns true for strings and numeric keys. A numeric field called "number" can also be a count. */
const canNameEntities = ({ fields: [field], loose, identity }: FieldCandidate): boolean => {
  const kind = findDatatypeKind(field!.datatype);
  return kind === 'text' ? loose < 2 : kind === 'number' && identity === 'key' && /(?:id|key|code)$/i.test(field!.name);
};

/** Creates the possible meanings of a governed term: its metric, the rows that match its filter, or its field. */
const createDefinedTerms = (
  phrase: string,
  definition: LensDefinition,
  number: 'one' | 'many',
  { lens, graph, dataset }: Vocabulary,
): Term[] => {
  const senses = definition.senses.length > 0 ? definition.senses : [definition];
  const terms: Term[] = [];
  const metrics = definition.senses.flatMap(({ metric }) => lens.metrics.find(({ name }) => name === metric) ?? []);
  if (metrics.length > 0)
    terms.push(
      createMeasure({ is: 'metric', metrics, defined: definition, predicates: [] }, [
        'metric',
        ...(metrics.every(isCountMetric) ? ['units'] : []),
      ]),
    );
  if (senses.some(({ filter }) => filter)) {
    const value = createValue(phrase, [{ text: phrase, options: [], defined: definition }], undefined, true);
    terms.push(value);
    const [homeDataset, second] = new Set(
      senses.flatMap(({ filter }) =>
        (parsePlainFilter(filter ?? '') ?? []).flatMap(({ path }) => graph.datasetOf(path) ?? []),
      ),
    );
    if (homeDataset && !second) {
      const predicates = [createValuePredicate(value, null)];
      terms.push(createEntities(phrase, [{ dataset: homeDataset }], predicates, [number, 'rows']));
    }
  }
  const fields = senses.flatMap(({ field: reference }): FieldCandidate[] => {
    const [path = '', fieldName] = (reference ?? '').split('.');
    const datasetName = graph.datasetOf(path);
    const field =
      datasetName === undefined ? undefined : dataset(datasetName).fields.find(({ name }) => name === fieldName);
    return datasetName === undefined || !field
      ? []
      : [{ dataset: datasetName, role: datasetName === path ? undefined : path, fields: [field], loose: 0 }];
  });
  return [...terms, ...createFieldTerms(phrase, fields, number)];
};

/** Returns the meanings that phrases, separated by |, have in the vocabulary of the lens. */
export const findMeaningsOfPhrases = (phrases: string, vocabulary: Vocabulary): Naming[] =>
  phrases.split('|').flatMap((phrase) => vocabulary.phrases.get(vocabulary.key(phrase)) ?? []);
