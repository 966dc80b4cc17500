// Finds names of the lens in a span of words.
import type { LensDefinition, LensMetric } from '../../lens/model/lens.ts';
import { splitFilter } from '../../lens/model/plain-filter.ts';
import { ENGLISH } from '../english/english.ts';
import { findGrammaticalNumber, stem } from '../english/inflection.ts';
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
import { findDatatypeKind, isNumeric } from '../words/datatypes.ts';
import { findDistinctField } from '../words/distinct-count.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { FieldTerm, Term as Naming } from '../words/term.ts';
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { groupByKey } from './group-by-key.ts';
import { ENGLISH_WORD_DATA, type WordData } from './word-data.ts';
import { joinTokenTexts, type WordHypothesis } from './word-hypothesis.ts';

/** Finds the names that start at a word, including forms such as "type of food" for food_type. */
export const findNames = (tokens: readonly Token[], start: number, vocabulary: Vocabulary): WordHypothesis[] => {
  const { countNouns: counting } = ENGLISH_WORD_DATA;
  const leaves: WordHypothesis[] = [];
  const followsArticle = ENGLISH_WORD_DATA.indefiniteArticles.has(tokens[start - 1]?.norm ?? '');
  for (let to = start + 1; to <= Math.min(tokens.length, start + vocabulary.maxPhraseWords + 1); to++) {
    const span = tokens.slice(start, to);
    if (span.some(({ kind, norm }) => kind === 'quoted' || (kind === 'punct' && !/^[-_/&]$/.test(norm)))) break;
    const stems = span.flatMap(({ stem: root, kind }) => (kind === 'punct' ? [] : [root]));
    const keys = [stems.join(' ')];
    const ofIndex = stems.indexOf(ENGLISH.ofWord);
    const owner = ofIndex > 0 ? (vocabulary.phrases.get(stems.slice(ofIndex + 1).join(' ')) ?? []) : [];
    // The grammar composes "email of customers" from a field and a thing, but "type of food" is a single name.
    const hasOwner = owner.some(({ kind }) => kind === 'dataset');
    if (ofIndex > 0 && ofIndex < stems.length - 1 && !hasOwner && !counting.has(stems[0]!))
      keys.push([...stems.slice(ofIndex + 1), ...stems.slice(0, ofIndex)].join(' '));
    keys.push(...findHyphenatedKeys(span, stems));
    const exactTerms = [...new Set(keys)].flatMap((key) => vocabulary.phrases.get(key) ?? []);
    const terms = exactTerms.length > 0 ? exactTerms : findLooseNamings(stems, span, vocabulary);
    if (terms.length > 0 && !stems.every((stem) => counting.has(stem)))
      leaves.push(
        ...createHypotheses(
          vocabulary,
          terms,
          joinTokenTexts(tokens, start, to),
          span[Math.max(0, ofIndex < 0 ? span.length - 1 : ofIndex - 1)]!,
        ).map(({ cat, term }) => ({
          cat,
          term: cat === 'field' && followsArticle ? toIndefinite(term) : term,
          from: start,
          to,
        })),
      );
  }
  return leaves;
};

/** Other spellings of a hyphenated name: "check-ins" can be checkins, and the plural of check-in. */
function findHyphenatedKeys(span: readonly Token[], stems: readonly string[]): string[] {
  const last = span.at(-1)!;
  if (!last.hyphenated || span.length < 2) return [];
  const [, particle] = /^(in|out|up|off|on)s?$/.exec(last.norm) ?? [];
  return [
    ...(span.length === 2 ? [stem(`${span[0]!.norm}${last.norm}`)] : []),
    ...(particle ? [particle, `${particle}s`] : []).map((form) => [...stems.slice(0, -1), form].join(' ')),
  ];
}

const toIndefinite = (term: Term): Term => ({ ...term, features: [...term.features, 'indefinite'] });

const isFunctionWord = ({ norm }: Token, { empty, polite, countNouns: counting, phrases }: WordData): boolean =>
  empty.has(norm) || polite.has(norm) || counting.has(norm) || phrases.has(norm);

/**
 * Finds shorter or longer forms of names, if no name matches exactly: "freight" for freight amount, "country name" for
 * country, "number of citations" for citation number, "transactions" for wallet transactions.
 */
const findLooseNamings = (stems: readonly string[], span: readonly Token[], vocabulary: Vocabulary): Naming[] => {
  const data = ENGLISH_WORD_DATA;
  const { countNouns: counting, lightNouns: light, nameNouns: naming } = data;
  if (span.length === 1 && isFunctionWord(span[0]!, data)) return [];
  const fieldsOf = (key: string): FieldTerm[] =>
    (vocabulary.phrases.get(key) ?? []).filter((term): term is FieldTerm => term.kind === 'field');
  const key = stems.join(' ');
  if (counting.has(stems[0]!) && stems[1] === ENGLISH.ofWord) {
    const rest = stems.slice(2).join(' ');
    const restTerms = vocabulary.phrases.get(rest) ?? [];
    if (restTerms.some(({ kind }) => kind === 'dataset')) return [];
    return [...counting]
      .flatMap((item) => fieldsOf(`${rest} ${item}`))
      .filter(({ field: { datatype } }) => isNumeric(datatype));
  }
  if (span.some((item) => isFunctionWord(item, data))) return [];
  const shorterFields = light.flatMap((noun) => fieldsOf(`${key} ${noun}`)).map(toLooseName);
  if (shorterFields.length > 0) return shorterFields;
  if (stems.length > 1 && naming.has(stems.at(-1)!)) {
    const namedFields = fieldsOf(stems.slice(0, -1).join(' ')).filter(
      ({ field: { name, datatype } }) => datatype === 'string' && !KEY_NAME_PATTERN.test(name),
    );
    if (namedFields.length > 0) return namedFields;
  }
  const dataset = findShortNames(vocabulary).get(key);
  if (dataset) return [{ kind: 'dataset', dataset }];
  for (let splitIndex = 1; splitIndex < stems.length; splitIndex++) {
    const owner = findShortNames(vocabulary).get(stems.slice(0, splitIndex).join(' '));
    const ownFields = owner
      ? fieldsOf(stems.slice(splitIndex).join(' ')).filter((field) => field.dataset === owner && field.loose < 2)
      : [];
    if (ownFields.length > 0) return ownFields;
  }
  return [];
};
/** A key isn't a name: "patient name" isn't the field patient_id. */
const KEY_NAME_PATTERN = /(?:^|_)(?:id|key|code|no|nr|number)$/i;
const toLooseName = (term: FieldTerm): FieldTerm => ({ ...term, loose: term.loose === 0 ? 1 : term.loose });

const shortNameCache = new WeakMap<Vocabulary, Map<string, string>>();
/** Sequences of words that only one dataset has in its name. */
const findShortNames = (vocabulary: Vocabulary): Map<string, string> => {
  const cachedOwners = shortNameCache.get(vocabulary);
  if (cachedOwners) return cachedOwners;
  const owners = new Map<string, Set<string>>();
  for (const { name } of vocabulary.lens.datasets) {
    const parts = splitWords(name).map(stem);
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= parts.length; to++) {
        const wordSequence = parts.slice(from, to).join(' ');
        if (wordSequence.length > 3) owners.set(wordSequence, (owners.get(wordSequence) ?? new Set()).add(name));
      }
  }
  const shortNames = new Map<string, string>();
  for (const [run, names] of owners) if (names.size === 1) shortNames.set(run, [...names][0]!);
  shortNameCache.set(vocabulary, shortNames);
  return shortNames;
};

const findCountedEntities = (metric: LensMetric, vocabulary: Vocabulary): EntityCandidate[] => {
  const { path, field: name } = findDistinctField(metric) ?? {};
  if (path === undefined || path !== metric.home) return [];
  const matchingField = vocabulary.dataset(path).fields.find((field) => field.name === name && !field.masked);
  return matchingField
    ? [{ dataset: path, by: { dataset: path, fields: [matchingField], loose: 0, identity: 'key' } }]
    : [];
};

const isCountMetric = ({ expression }: LensMetric): boolean => /^count\s*\(/i.test(expression);
const SUM_PATTERN = /^sum\s*\(\s*(?:(\w+)\.)?(\w+)\s*\)$/i;
/** Returns true if the metric sums integers that have no unit, such as the number of items sold. */
export const sumsIntegers = ({ expression, home, unit }: LensMetric, { graph, dataset }: Vocabulary): boolean => {
  const [, path, name] = SUM_PATTERN.exec(expression) ?? [];
  const datasetName = path === undefined ? home : graph.datasetOf(path);
  const summedField = datasetName ? dataset(datasetName).fields.find((field) => field.name === name) : undefined;
  return summedField?.datatype === 'integer' && summedField.unit === null && unit === null;
};

/**
 * Returns true if the metric's names for this key are plurals. The word "total" can then refer only to several things.
 */
const isPlural = ({ name, synonyms }: LensMetric, key: string, { key: keyOf }: Vocabulary) => {
  const sameNames = [name, ...synonyms].filter((item) => keyOf(item) === key);
  return (sameNames.length > 0 ? sameNames : [name]).every(
    (item) => findGrammaticalNumber(splitWords(item).at(-1) ?? '') === 'many',
  );
};
function createHypotheses(
  vocabulary: Vocabulary,
  terms: readonly Naming[],
  phrase: string,
  lastToken: Token,
): { cat: string; term: Term }[] {
  const leaves: { cat: string; term: Term }[] = [];
  const number = findGrammaticalNumber(lastToken.norm);
  const exactDatasets = new Set(
    terms.flatMap((term) => (term.kind === 'field' && term.loose === 0 ? [term.dataset] : [])),
  );
  const fields: FieldCandidate[] = terms.flatMap((term): FieldCandidate[] =>
    // The name "order id" means the field with that name, not the key of the rows named orders.
    term.kind === 'field' && term.loose > 0 && exactDatasets.has(term.dataset)
      ? []
      : term.kind === 'field'
        ? [{ dataset: term.dataset, role: term.role, fields: [term.field], loose: term.loose, identity: term.identity }]
        : term.kind === 'names'
          ? [{ dataset: term.dataset, fields: term.fields, loose: 0 }]
          : [],
  );
  const byKind = groupByKey(fields, (term) => findDatatypeKind(term.fields[0]!.datatype));
  for (const [kind, options] of byKind)
    leaves.push({ cat: 'field', term: createField(phrase, options, [kind, number]) });
  const datasets: EntityCandidate[] = terms.flatMap((term) =>
    term.kind === 'dataset' ? [{ dataset: term.dataset, role: term.role }] : [],
  );
  if (datasets.length > 0) leaves.push({ cat: 'things', term: createEntities(phrase, datasets, [], [number, 'rows']) });
  const values: EntityCandidate[] = fields
    .filter(
      (field) => isSingleField(field) && findDatatypeKind(field.fields[0]!.datatype) === 'text' && field.loose < 2,
    )
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  // Omits key fields called "number", because they can be counts.
  const keys = fields
    .filter(
      (field) =>
        field.identity === 'key' &&
        findDatatypeKind(field.fields[0]!.datatype) === 'number' &&
        /(?:id|key|code)$/i.test(field.fields[0]!.name),
    )
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  if (values.length + keys.length > 0 && datasets.length === 0)
    leaves.push({ cat: 'things', term: createEntities(phrase, [...values, ...keys], [], [number, 'values']) });
  for (const term of terms)
    if (term.kind === 'definition')
      leaves.push(...createDefinedHypotheses(phrase, term.definition, number, vocabulary));
  const governedTerms = terms.flatMap((term) =>
    term.kind === 'definition' && term.definition.senses.length === 0
      ? vocabulary.lens.metrics.filter(({ name }) => name === term.definition.metric)
      : [],
  );
  const metrics = [
    ...new Set([...terms.flatMap((term) => (term.kind === 'metric' ? [term.metric] : [])), ...governedTerms]),
  ];
  // A metric can count each order once although the rows, which are named orders, contain an order several times.
  const countedEntities = (datasets.length > 0 ? metrics : governedTerms).flatMap((item) =>
    findCountedEntities(item, vocabulary),
  );
  if (countedEntities.length > 0)
    leaves.push({ cat: 'things', term: createEntities(phrase, countedEntities, [], [number, 'rows', 'once']) });
  if (metrics.length > 0)
    leaves.push({
      cat: 'measure',
      term: createMeasure({ is: 'metric', metrics, called: phrase, predicates: [] }, [
        'metric',
        ...(leaves.some(({ cat }) => cat === 'things') ? ['thing'] : []),
        ...(metrics.every((metric) => isCountMetric(metric) || (number === 'many' && sumsIntegers(metric, vocabulary)))
          ? ['units']
          : []),
        ...(number === 'one' && metrics.every((metric) => isPlural(metric, vocabulary.key(phrase), vocabulary))
          ? ['single']
          : []),
      ]),
    });
  return leaves;
}

/** The possible meanings of a governed term: its metric, the rows that match it, or a field. */
const createDefinedHypotheses = (
  phrase: string,
  definition: LensDefinition,
  number: 'one' | 'many',
  { lens, graph, dataset }: Vocabulary,
): { cat: string; term: Term }[] => {
  const senses = definition.senses.length > 0 ? definition.senses : [definition];
  const leaves: { cat: string; term: Term }[] = [];
  const metrics = definition.senses.flatMap(({ metric }) => lens.metrics.find(({ name }) => name === metric) ?? []);
  if (metrics.length > 0)
    leaves.push({
      cat: 'measure',
      term: createMeasure({ is: 'metric', metrics, defined: definition, predicates: [] }, [
        'metric',
        ...(metrics.every(isCountMetric) ? ['units'] : []),
      ]),
    });
  if (senses.some(({ filter }) => filter)) {
    const definedValue = createValue(phrase, [{ text: phrase, options: [], defined: definition }], undefined, true);
    leaves.push({ cat: 'value', term: definedValue });
    const homes = new Set(
      senses.flatMap(({ filter }) =>
        splitFilter(filter ?? '').flatMap((part) => graph.datasetOf(/^\s*(\w+)\./.exec(part)?.[1] ?? '') ?? []),
      ),
    );
    const [homeDataset, second] = homes;
    if (homeDataset && !second)
      leaves.push({
        cat: 'things',
        term: createEntities(
          phrase,
          [{ dataset: homeDataset }],
          [createValuePredicate(definedValue, null)],
          [number, 'rows'],
        ),
      });
  }
  const fields = senses.flatMap(({ field: candidate }): FieldCandidate[] => {
    const [path, name] = (candidate ?? '').split('.');
    const datasetName = graph.datasetOf(path ?? '');
    const definedField =
      datasetName === undefined ? undefined : dataset(datasetName).fields.find((lensField) => lensField.name === name);
    return datasetName === undefined || !definedField
      ? []
      : [{ dataset: datasetName, role: datasetName === path ? undefined : path, fields: [definedField], loose: 0 }];
  });
  for (const [kind, options] of groupByKey(fields, (fieldTerm) => findDatatypeKind(fieldTerm.fields[0]!.datatype)))
    leaves.push({ cat: 'field', term: createField(phrase, options, [kind, number]) });
  return leaves;
};

/** Looks up phrases of the language in the vocabulary of the lens, and returns their meanings. The phrases are separated by |. */
export const findMeaningsOfPhrases = (phrases: string, vocabulary: Vocabulary): Naming[] =>
  phrases.split('|').flatMap((phrase) => vocabulary.phrases.get(vocabulary.key(phrase)) ?? []);
