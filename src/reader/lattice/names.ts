// Names in the lens that the words of a span match.
import type { LensDefinition, LensMetric } from '../../lens/model/lens.ts';
import { partsOf } from '../../lens/model/plain-filter.ts';
import { ENGLISH } from '../english/english.ts';
import { numberOf, stem } from '../english/inflection.ts';
import { valuePredicate } from '../meaning/operators/building.ts';
import {
  type EntityCandidate,
  entities,
  type FieldCandidate,
  field,
  measure,
  type Term,
  value,
} from '../meaning/terms.ts';
import { isNumeric, kindOf } from '../words/datatypes.ts';
import { countedField } from '../words/distinct-count.ts';
import { words } from '../words/phrase-key.ts';
import type { FieldTerm, Term as Naming } from '../words/term.ts';
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { byKey } from './by-key.ts';
import { type Leaf, sourceText } from './leaf.ts';
import { WORD_DATA, type WordData } from './word-data.ts';

/** The words at a span, and "type of food" for food_type. */
export const namesAt = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): Leaf[] => {
  const { counting } = WORD_DATA;
  const found: Leaf[] = [];
  const oneOf = WORD_DATA.indefinite.has(tokens[at - 1]?.norm ?? '');
  for (let to = at + 1; to <= Math.min(tokens.length, at + vocabulary.longest + 1); to++) {
    const span = tokens.slice(at, to);
    if (span.some(({ kind, norm }) => kind === 'quoted' || (kind === 'punct' && !/^[-_/&]$/.test(norm)))) break;
    const stems = span.flatMap(({ stem: root, kind }) => (kind === 'punct' ? [] : [root]));
    const keys = [stems.join(' ')];
    const of = stems.indexOf(ENGLISH.of);
    const owner = of > 0 ? (vocabulary.phrases.get(stems.slice(of + 1).join(' ')) ?? []) : [];
    // "email of customers" is a field of a thing, which the grammar composes; "type of food" is one name.
    const owned = owner.some(({ kind }) => kind === 'dataset');
    if (of > 0 && of < stems.length - 1 && !owned && !counting.has(stems[0]!))
      keys.push([...stems.slice(of + 1), ...stems.slice(0, of)].join(' '));
    const known = keys.flatMap((key) => vocabulary.phrases.get(key) ?? []);
    const terms = known.length > 0 ? known : looselyNamed(stems, span, vocabulary);
    if (terms.length > 0 && !stems.every((one) => counting.has(one)))
      found.push(
        ...leavesOf(
          vocabulary,
          terms,
          sourceText(tokens, at, to),
          span[Math.max(0, of < 0 ? span.length - 1 : of - 1)]!,
        ).map(({ cat, term }) => ({ cat, term: cat === 'field' && oneOf ? indefinite(term) : term, from: at, to })),
      );
  }
  return found;
};

const indefinite = (term: Term): Term => ({ ...term, features: [...term.features, 'indefinite'] });

const isFunctionWord = ({ norm }: Token, { empty, polite, counting, phrases }: WordData): boolean =>
  empty.has(norm) || polite.has(norm) || counting.has(norm) || phrases.has(norm);

/**
 * Names in a shorter or longer form than in the lens, if nothing has exactly this name: "freight" for freight
 * amount, "country name" for country, "number of citations" for citation number, "transactions" for wallet
 * transactions.
 */
const looselyNamed = (stems: readonly string[], span: readonly Token[], vocabulary: Vocabulary): Naming[] => {
  const data = WORD_DATA;
  const { counting, light, naming } = data;
  if (span.length === 1 && isFunctionWord(span[0]!, data)) return [];
  const fieldsOf = (key: string): FieldTerm[] =>
    (vocabulary.phrases.get(key) ?? []).filter((term): term is FieldTerm => term.kind === 'field');
  const key = stems.join(' ');
  if (counting.has(stems[0]!) && stems[1] === ENGLISH.of) {
    const rest = stems.slice(2).join(' ');
    const named = vocabulary.phrases.get(rest) ?? [];
    if (named.some(({ kind }) => kind === 'dataset')) return [];
    return [...counting]
      .flatMap((one) => fieldsOf(`${rest} ${one}`))
      .filter(({ field: { datatype } }) => isNumeric(datatype));
  }
  if (span.some((one) => isFunctionWord(one, data))) return [];
  const shorter = light.flatMap((noun) => fieldsOf(`${key} ${noun}`)).map(asLoose);
  if (shorter.length > 0) return shorter;
  if (stems.length > 1 && naming.has(stems.at(-1)!)) {
    const called = fieldsOf(stems.slice(0, -1).join(' ')).filter(({ field: { datatype } }) => datatype === 'string');
    if (called.length > 0) return called;
  }
  const dataset = shortlyNamed(vocabulary).get(key);
  if (dataset) return [{ kind: 'dataset', dataset }];
  for (let cut = 1; cut < stems.length; cut++) {
    const owner = shortlyNamed(vocabulary).get(stems.slice(0, cut).join(' '));
    const own = owner
      ? fieldsOf(stems.slice(cut).join(' ')).filter((one) => one.dataset === owner && one.loose < 2)
      : [];
    if (own.length > 0) return own;
  }
  return [];
};
const asLoose = (term: FieldTerm): FieldTerm => ({ ...term, loose: term.loose === 0 ? 1 : term.loose });

const short = new WeakMap<Vocabulary, Map<string, string>>();
/** Sequences of words that occur in only one dataset's name. */
const shortlyNamed = (vocabulary: Vocabulary): Map<string, string> => {
  const known = short.get(vocabulary);
  if (known) return known;
  const owners = new Map<string, Set<string>>();
  for (const { name } of vocabulary.lens.datasets) {
    const parts = words(name).map(stem);
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= parts.length; to++) {
        const run = parts.slice(from, to).join(' ');
        if (run.length > 3) owners.set(run, (owners.get(run) ?? new Set()).add(name));
      }
  }
  const shortNames = new Map<string, string>();
  for (const [run, names] of owners) if (names.size === 1) shortNames.set(run, [...names][0]!);
  short.set(vocabulary, shortNames);
  return shortNames;
};

/** The values that a metric counts distinct. */
const countedBy = (metric: LensMetric, vocabulary: Vocabulary): EntityCandidate[] => {
  const { path, field: name } = countedField(metric) ?? {};
  if (path === undefined || path !== metric.home) return [];
  const of = vocabulary.dataset(path).fields.find((one) => one.name === name && !one.masked);
  return of ? [{ dataset: path, by: { dataset: path, fields: [of], loose: 0, identity: 'key' } }] : [];
};

const isCount = ({ expression }: LensMetric): boolean => /^count\s*\(/i.test(expression);
const SUM = /^sum\s*\(\s*(?:(\w+)\.)?(\w+)\s*\)$/i;
/** A sum of whole numbers is a number of units. */
export const addsWhole = ({ expression, home, unit }: LensMetric, { graph, dataset }: Vocabulary): boolean => {
  const [, path, name] = SUM.exec(expression) ?? [];
  const at = path === undefined ? home : graph.datasetOf(path);
  const of = at ? dataset(at).fields.find((one) => one.name === name) : undefined;
  return of?.datatype === 'integer' && of.unit === null && unit === null;
};

/** The total of a metric doesn't apply to a single thing, under this name or the metric's own. */
const isPlural = ({ name, synonyms }: LensMetric, key: string, { key: keyOf }: Vocabulary) => {
  const called = [name, ...synonyms].filter((one) => keyOf(one) === key);
  return (called.length > 0 ? called : [name]).every((one) => numberOf(words(one).at(-1) ?? '') === 'many');
};
function leavesOf(
  vocabulary: Vocabulary,
  terms: readonly Naming[],
  phrase: string,
  last: Token,
): { cat: string; term: Term }[] {
  const leaves: { cat: string; term: Term }[] = [];
  const number = numberOf(last.norm);
  const exact = new Set(terms.flatMap((term) => (term.kind === 'field' && term.loose === 0 ? [term.dataset] : [])));
  const fields: FieldCandidate[] = terms.flatMap((term): FieldCandidate[] =>
    // "order id" is the field with that name, not the key of the rows named orders.
    term.kind === 'field' && term.loose > 0 && exact.has(term.dataset)
      ? []
      : term.kind === 'field'
        ? [{ dataset: term.dataset, role: term.role, fields: [term.field], loose: term.loose, identity: term.identity }]
        : term.kind === 'names'
          ? [{ dataset: term.dataset, role: term.role, fields: term.fields, loose: 0 }]
          : [],
  );
  const byKind = byKey(fields, (one) => kindOf(one.fields[0]!.datatype));
  for (const [kind, options] of byKind) leaves.push({ cat: 'field', term: field(phrase, options, [kind, number]) });
  const datasets: EntityCandidate[] = terms.flatMap((term) =>
    term.kind === 'dataset' ? [{ dataset: term.dataset, role: term.role }] : [],
  );
  if (datasets.length > 0) leaves.push({ cat: 'things', term: entities(phrase, datasets, [], [number, 'rows']) });
  const values: EntityCandidate[] = fields
    .filter((one) => kindOf(one.fields[0]!.datatype) === 'text' && one.loose < 2)
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  // A field called number may be a count.
  const keys = fields
    .filter(
      (one) =>
        one.identity === 'key' &&
        kindOf(one.fields[0]!.datatype) === 'number' &&
        /(?:id|key|code)$/i.test(one.fields[0]!.name),
    )
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  if (values.length + keys.length > 0 && datasets.length === 0)
    leaves.push({ cat: 'things', term: entities(phrase, [...values, ...keys], [], [number, 'values']) });
  for (const term of terms)
    if (term.kind === 'definition') leaves.push(...definedLeaves(phrase, term.definition, number, vocabulary));
  const governed = terms.flatMap((term) =>
    term.kind === 'definition' && term.definition.senses.length === 0
      ? vocabulary.lens.metrics.filter(({ name }) => name === term.definition.metric)
      : [],
  );
  const metrics = [
    ...new Set([...terms.flatMap((term) => (term.kind === 'metric' ? [term.metric] : [])), ...governed]),
  ];
  // Rows are named orders, and a metric counts orders once, each with several rows.
  const counted = (datasets.length > 0 ? metrics : governed).flatMap((one) => countedBy(one, vocabulary));
  if (counted.length > 0) leaves.push({ cat: 'things', term: entities(phrase, counted, [], [number, 'rows', 'once']) });
  if (metrics.length > 0)
    leaves.push({
      cat: 'measure',
      term: measure(
        { is: 'metric', metrics, called: phrase, predicates: [] },
        metrics.map(({ name }) => name).join('|'),
        [
          'metric',
          ...(leaves.some(({ cat }) => cat === 'things') ? ['thing'] : []),
          ...(metrics.every((one) => isCount(one) || (number === 'many' && addsWhole(one, vocabulary)))
            ? ['units']
            : []),
          ...(number === 'one' && metrics.every((one) => isPlural(one, vocabulary.key(phrase), vocabulary))
            ? ['single']
            : []),
        ],
      ),
    });
  return leaves;
}

/** A governed term: its metric, the rows that match it, or a field. */
const definedLeaves = (
  phrase: string,
  of: LensDefinition,
  number: 'one' | 'many',
  { lens, graph, dataset }: Vocabulary,
): { cat: string; term: Term }[] => {
  const senses = of.senses.length > 0 ? of.senses : [of];
  const leaves: { cat: string; term: Term }[] = [];
  const metrics = of.senses.flatMap(({ metric }) => lens.metrics.find(({ name }) => name === metric) ?? []);
  if (metrics.length > 0)
    leaves.push({
      cat: 'measure',
      term: measure({ is: 'metric', metrics, defined: of, predicates: [] }, metrics.map(({ name }) => name).join('|'), [
        'metric',
        ...(metrics.every(isCount) ? ['units'] : []),
      ]),
    });
  if (senses.some(({ filter }) => filter)) {
    const defined = value(phrase, [{ text: phrase, options: [], defined: of }], {}, true);
    leaves.push({ cat: 'value', term: defined });
    const homes = new Set(
      senses.flatMap(({ filter }) =>
        partsOf(filter ?? '').flatMap((part) => graph.datasetOf(/^\s*(\w+)\./.exec(part)?.[1] ?? '') ?? []),
      ),
    );
    const [home, second] = homes;
    if (home && !second)
      leaves.push({
        cat: 'things',
        term: entities(phrase, [{ dataset: home }], [valuePredicate(defined, null)], [number, 'rows']),
      });
  }
  const fields = senses.flatMap(({ field: candidate }): FieldCandidate[] => {
    const [path, name] = (candidate ?? '').split('.');
    const at = graph.datasetOf(path ?? '');
    const found = at === undefined ? undefined : dataset(at).fields.find((each) => each.name === name);
    return at === undefined || !found
      ? []
      : [{ dataset: at, role: at === path ? undefined : path, fields: [found], loose: 0 }];
  });
  for (const [kind, options] of byKey(fields, (one) => kindOf(one.fields[0]!.datatype)))
    leaves.push({ cat: 'field', term: field(phrase, options, [kind, number]) });
  return leaves;
};

/** The meaning of a phrase in the lens, for names that a language's data contains. */
export const namedBy = (phrases: string, vocabulary: Vocabulary): Naming[] =>
  phrases.split('|').flatMap((phrase) => vocabulary.phrases.get(vocabulary.key(phrase)) ?? []);
