// Turns a condition of a question into filters on the rows to which it applies.

import { isNumeric } from '../../contract/warehouse.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { COMPARISON_PATTERN, NULL_TEST_PATTERN, resolveDay, splitFilter } from '../../lens/model/plain-filter.ts';
import { negateExists, toCountBounds } from '../../plan/filters.ts';
import type { Condition, ExistsFilter, Filter, Operator } from '../../plan/lens-plan.ts';
import { ENGLISH } from '../english/english.ts';
import { convertUnit } from '../words/convert-unit.ts';
import { findDistinctCountMetric } from '../words/governed.ts';
import { toUnitKey } from '../words/lexicon.ts';
import { findPercentFactor, isPercent } from '../words/percent.ts';
import { splitWords } from '../words/phrase-key.ts';
import { fold, foldValue } from '../words/tokens.ts';
import { findFirstWord } from '../words/vocabulary.ts';
import { hasDefaultDateForVerb, hasEventDate, hasOtherDate, resolveDate } from './dates.ts';
import { addStartDateDoubt } from './lasting.ts';
import {
  type NameResolution,
  type PlacedField,
  type RelatedField,
  reject,
  toPeriodFilters,
} from './name-resolution.ts';
import type { Entities, EntityCandidate, FieldCandidate, Predicate, Value, ValueCandidate } from './terms.ts';
import {
  declineStoredState,
  hasWordFromVerb,
  isEventOfOtherRows,
  isNamedByVerb,
  isObjectOfVerb,
  isStateWord,
  requireLink,
  VERB_SETS,
} from './verbs.ts';

/** The rows to which conditions apply. Paths start at `home`, and svc looks up names near `from` first. */
export interface FilterContext {
  home: string;
  from: string;
  /** Outer rows, to which these conditions don't apply. */
  outerPath?: string;
  /** Set if the things are the values of this field. Each thing then has several rows of `home`. */
  by?: PlacedField;
  /** True if the field identifies individual things rather than kinds of things. */
  thing?: boolean;
  /** True if each value counts once, regardless of its number of rows. */
  distinct?: boolean;
  /** The name of the rows. */
  rowsName?: string;
}

/**
 * Declines "cancelled in 2023" if "cancelled" is a state with its own date, because the period must use that date. Also
 * declines the reading of "customers who ordered chairs in 2023" that applies the period to the customers, because the
 * period belongs to the orders.
 */
export function declineDatedState(s: NameResolution, predicates: readonly Predicate[], homeDataset: string): void {
  const times = predicates.flatMap((predicate) => (predicate.is === 'time' ? [predicate] : []));
  const bareTimes = times.filter(({ field, verb }) => field === null && verb === null);
  if (bareTimes.length === 0) return;
  if (bareTimes.length < times.length) reject('a second period may belong to either date');
  const allPredicates = predicates.flatMap(listNestedPredicates);
  for (const item of predicates) {
    const verb = item.is === 'has' ? item.verb : item.is === 'value' ? item.word : null;
    if (verb && isEventOfOtherRows(s, verb, s.dataset(homeDataset).name)) reject('the period belongs to the event');
  }
  const states = allPredicates.flatMap((item) =>
    item.is === 'value'
      ? item.value.any.flatMap(({ text, options }) =>
          options.map(({ dataset, value }) => ({ dataset, words: [value, text] })),
        )
      : item.is === 'compare'
        ? item.field.options.flatMap(({ dataset, fields }) =>
            fields.flatMap(({ name, datatype }) =>
              datatype === 'boolean' ? [{ dataset, words: splitWords(name) }] : [],
            ),
          )
        : [],
  );
  for (const { dataset, words } of states)
    if (dataset === s.dataset(homeDataset).name || s.leadsTo(homeDataset, dataset)) {
      if (words.some((word) => hasOtherDate(s, dataset, word))) reject(`${words.join(' ')} has a separate date`);
      const event = words.find((word) => hasEventDate(s, dataset, fold(word)));
      if (event) s.addDoubt(`svc read "${event}" as the state of ${dataset.replaceAll('_', ' ')}, not as a date.`);
    }
}

const listNestedPredicates = (predicate: Predicate): Predicate[] =>
  predicate.is === 'not'
    ? listNestedPredicates(predicate.of)
    : predicate.is === 'has'
      ? [predicate, ...predicate.things.predicates.flatMap(listNestedPredicates)]
      : [predicate];

export function toFilters(s: NameResolution, predicates: readonly Predicate[], context: FilterContext): Filter[] {
  declineDatedState(s, predicates, context.from);
  const filters = predicates.flatMap((predicate) => toFilter(s, predicate, context));
  // Any condition on related rows implies that such rows exist.
  return filters.filter(
    (item) =>
      !(
        isNotNullCondition(item) &&
        filters.some(
          (other) => other !== item && 'field' in other && !other.or_null && other.field.path === item.field.path,
        )
      ),
  );
}
const isNotNullCondition = (filter: Filter): filter is Condition => 'field' in filter && filter.op === 'is_not_null';

function toFilter(s: NameResolution, predicate: Predicate, context: FilterContext): Filter[] {
  switch (predicate.is) {
    case 'value':
      return createValueFilter(s, predicate, context);
    case 'compare': {
      const placedField = s.field(context.home, predicate.field.options, predicate.field.text, context.from);
      if (
        isNumeric(placedField.field.datatype) &&
        (context.by || findDistinctCountMetric(s.vocabulary, placedField.dataset.name, context.rowsName ?? ''))
      )
        return reject('the condition may be on one row or on all of them');
      if (predicate.field.features.includes('own') && placedField.dataset.name !== s.dataset(context.from).name)
        return reject('of something else');
      if (predicate.field.features.includes('adjacent') && placedField.dataset.name !== s.dataset(context.from).name)
        s.addDoubt(
          `svc read "${predicate.field.text}" as a property of ${placedField.dataset.name.replaceAll('_', ' ')}.`,
        );
      const values =
        predicate.unit === null
          ? [...predicate.values]
          : predicate.values.map((rawValue) => convertToUnit(Number(rawValue), predicate.unit!, placedField.field));
      return [{ field: createFieldRef(placedField), op: predicate.op, values }];
    }
    case 'amount':
      return createAmountFilter(s, predicate, context);
    case 'missing': {
      const placedField = s.field(context.home, predicate.field.options, predicate.field.text, context.from);
      if (placedField.path !== context.home) return reject('missing of something else');
      addStoredNothingDoubt(s, placedField.field);
      return [{ field: createFieldRef(placedField), op: 'is_null', values: [] }];
    }
    case 'time': {
      const namedField =
        predicate.field && s.field(context.home, predicate.field.options, predicate.field.text, context.from);
      if (namedField && namedField.path !== context.from && hasEventDate(s, context.from, fold(predicate.field!.text)))
        return reject('the rows have a date with this name');
      if (predicate.verb && !hasEventDate(s, context.home, predicate.verb))
        declineStoredState(s, predicate.verb, context.home);
      // The question "loans in the Harbour branch in May" asks for loans in May, regardless of the date when the branch
      // opened.
      if (
        !namedField &&
        !predicate.verb &&
        context.from !== context.home &&
        !context.by &&
        s.dataset(context.home).timeField !== null
      )
        return reject('the period belongs to the rows');
      const dateField = namedField
        ? { ...namedField, year: false }
        : resolveDate(
            s,
            context.from === context.home || context.by ? context.home : context.from,
            predicate.period.text,
            predicate.verb,
          );
      if (!namedField && !predicate.verb) addStartDateDoubt(s, dateField, predicate.period.text, []);
      const path =
        namedField || context.from === context.home || context.by
          ? dateField.path
          : findFilterPath(s, context, dateField.path);
      return toPeriodFilters({ ...dateField, path }, predicate.period);
    }
    case 'has':
      return toFiltersOnRelatedRows(s, predicate, context, false);
    case 'not':
      return [createNegatedFilter(s, predicate.of, context)];
    case 'all':
      return predicate.of.flatMap((part) => toFilter(s, part, context));
    case 'any':
      return [{ any: predicate.of.map((part) => combineFilters(toFilter(s, part, context))) }];
    default:
      return reject(`${predicate.is} restricts no rows`);
  }
}
/** Adds a doubt to "passes with no channel" if some passes have the channel "none". */
function addStoredNothingDoubt(s: NameResolution, { name, dictionary }: LensField): void {
  const storedNothing = dictionary?.values.find(({ value }) =>
    ENGLISH.wordsForNothing.split('|').includes(fold(value)),
  );
  if (storedNothing)
    s.addDoubt(
      `Rows with the stored value "${storedNothing.value}" of ${name.replaceAll('_', ' ')} are not counted as missing.`,
    );
}
export const convertToUnit = (value: number, from: string, { unit, description }: LensField): number => {
  const percent = isPercent(from) ? findPercentFactor(unit, description) : null;
  if (percent !== null) return value / percent;
  const [one, other] = [from, unit ?? ''].map(toUnitKey);
  if (!one || !other) return reject('the unit differs');
  return one === other ? value : (convertUnit(value, one, other) ?? reject('the unit differs'));
};
const createFieldRef = ({ path, field }: PlacedField) => ({ path, field: field.name });
const combineFilters = (filters: Filter[]): Filter => (filters.length === 1 ? filters[0]! : { all: filters });
const findFilterPath = (s: NameResolution, { home, from }: FilterContext, path: string): string => {
  const dataset = s.dataset(path).name;
  return path === from
    ? s.path(home, from, undefined, from)
    : s.path(home, dataset, path === dataset ? undefined : path, path);
};

const listCandidateFields = (options: readonly ValueCandidate[]): FieldCandidate[] =>
  options.map(({ dataset, field }) => ({ dataset, fields: [field], loose: 0 }));
/** Returns the fields for a list of values: the named field, or the fields that contain every value. */
const listFieldsOfValue = (value: Value): FieldCandidate[] => {
  const isQuoted = value.any.every(({ options }) => options.length === 0);
  if (isQuoted)
    return value.field ? [...value.field.options].filter(({ fields }) => !isNumeric(fields[0]!.datatype)) : [];
  const [first, ...rest] = value.any.map(({ options }) => options);
  const fieldCandidates = listCandidateFields(
    first!.filter((item) =>
      rest.every((other) => other.some(({ field, dataset }) => field === item.field && dataset === item.dataset)),
    ),
  );
  const roles = value.field?.options.filter(({ role }) => role !== undefined) ?? [];
  // In "origin city Boston", the city is a city of the role origin.
  return fieldCandidates.flatMap((item) => {
    const matchingRoles = roles.filter(
      ({ dataset, fields }) => dataset === item.dataset && fields.includes(item.fields[0]!),
    );
    return matchingRoles.length > 0 ? matchingRoles.map(({ role }) => ({ ...item, role })) : [item];
  });
};
const findStoredValues = (s: NameResolution, value: Value, placedField: PlacedField): string[] => [
  ...new Set(
    value.any.flatMap(({ text, options }) => {
      const matchingOptions = options.filter(
        ({ field, dataset }) => field === placedField.field && dataset === placedField.dataset.name,
      );
      return options.length === 0
        ? listSpellingsOfQuoted(s, text, placedField)
        : matchingOptions.map((item) => item.value);
    }),
  ),
];
/** A quoted string as the dictionary spells it, because the question may use other white space or quotation marks. */
function listSpellingsOfQuoted({ vocabulary }: NameResolution, text: string, { field }: PlacedField): string[] {
  const folded = foldValue(text);
  const entries = vocabulary.values.get(findFirstWord(folded)) ?? [];
  const spellings = entries.filter((entry) => entry.folded === folded && entry.field === field);
  return spellings.length > 0 ? spellings.map(({ value }) => value) : [text];
}

function createDefinedFilter(s: NameResolution, value: Value, word: string | null, context: FilterContext): Filter[] {
  const alternatives = value.any.map(({ text, defined }): Filter[] => {
    const filter = (defined && s.resolveSense(defined).filter) ?? reject(`${text} is not a condition`);
    return splitFilter(filter).map((part) => createDefinedPart(s, part, text, word, context));
  });
  return alternatives.length === 1 ? alternatives.flat() : [{ any: alternatives.map(combineFilters) }];
}
function createDefinedPart(
  s: NameResolution,
  part: string,
  text: string,
  word: string | null,
  context: FilterContext,
): Filter {
  const { graph } = s.vocabulary;
  const [, sourceName, name, op, writtenValue] =
    NULL_TEST_PATTERN.exec(part) ?? COMPARISON_PATTERN.exec(part) ?? reject(`${text} is stored in metrics`);
  const dataset = graph.datasetOf(sourceName!) ?? reject(`${sourceName} is not in these rows`);
  const role = dataset === sourceName ? undefined : sourceName;
  const field =
    s.vocabulary.dataset(dataset).fields.find((field) => field.name === name) ?? reject(`${name} is not in these rows`);
  const placedField = s.field(context.home, [{ dataset, role, fields: [field], loose: 0 }], text, context.from);
  // A word next to a name of things describes these things, unless the things are values of a field.
  if (word === null && !context.by && placedField.dataset !== s.dataset(context.from))
    reject(`${text} describes ${dataset}`);
  if (context.by) s.addDoubt(`"${text}" is defined for single rows, so one such row is enough here.`);
  if (writtenValue === undefined)
    return { field: createFieldRef(placedField), op: op ? 'is_not_null' : 'is_null', values: [] };
  const value =
    resolveDay(writtenValue, s.today) ??
    (writtenValue.startsWith("'")
      ? writtenValue.slice(1, -1).replaceAll("''", "'")
      : /^(?:true|false)$/i.test(writtenValue)
        ? writtenValue.toLowerCase() === 'true'
        : Number(writtenValue));
  return { field: createFieldRef(placedField), op: op === '<>' ? '!=' : (op as Condition['op']), values: [value] };
}

function createValueFilter(
  s: NameResolution,
  { value, word, led: roleWord, called: isCalled }: Extract<Predicate, { is: 'value' }>,
  context: FilterContext,
): Filter[] {
  if (value.any.some(({ defined }) => defined)) return createDefinedFilter(s, value, word, context);
  const fieldOptions = word ? listFieldsOfObject(s, word, listFieldsOfValue(value)) : listFieldsOfValue(value);
  const names = isCalled
    ? fieldOptions.filter(({ dataset, fields }) => s.vocabulary.displayFieldsOf(dataset).includes(fields[0]!))
    : [];
  const options = names.length > 0 ? names : fieldOptions;
  const isNamed =
    word !== null && options.every(({ fields }) => fields.some(({ name }) => hasWordFromVerb(name, word)));
  if (word && !isNamed && !hasDefaultDateForVerb(s, context.home, word))
    requireLink(
      s,
      word,
      context.home,
      options.map(({ dataset }) => dataset),
    );
  // A word next to a thing describes the thing itself.
  const isAdjacent = word === null && !value.field;
  const directFields = s
    .candidatesInRole(roleWord, s.directCandidates(context.home, options, context.from))
    .filter(
      ({ of }) => !isAdjacent || of.dataset === s.dataset(context.from) || isKindOfDataset(s, of, context.from, value),
    )
    // In "customers who ship chemicals", chemicals are what the shipments contain, not what the customers are.
    .filter(
      ({ of }) =>
        isNamed || !word || of.dataset !== s.dataset(context.home) || !isEventOfOtherRows(s, word, context.home),
    )
    .map((item) => ({ ...item, of: item.of as PlacedField | RelatedField }));
  const relatedFields = (isAdjacent ? [] : s.relatedCandidates(context.home, options, context.from))
    .filter(({ of }) => !word || isNamedByVerb(s, word, of.path))
    .map((item) => ({ ...item, of: item.of as PlacedField | RelatedField }));
  const chosenField = s.pick('which name', value.text, [...directFields, ...relatedFields]);
  if (!value.field && 'at' in chosenField) addNearestNameDoubt(s, value.text, chosenField.at, relatedFields, context);
  else if (!value.field) {
    const ofOtherRoles = s.directCandidates(context.home, options, context.from, true);
    addNearestNameDoubt(s, value.text, chosenField as PlacedField, [...directFields, ...ofOtherRoles], context);
  }
  if (context.outerPath && chosenField.path === context.outerPath) return reject('describes the outer rows');
  const placedField = 'at' in chosenField ? chosenField.at : chosenField;
  if (word && !isNamed && placedField.dataset === s.dataset(context.home))
    requireLink(s, word, context.home, [placedField.dataset.name]);
  if (!value.field && isNumeric(placedField.field.datatype)) reject('a number alone names no field');
  const values = findStoredValues(s, value, placedField);
  const condition: Condition = { field: createFieldRef(placedField), op: values.length === 1 ? '=' : 'in', values };
  return [
    'at' in chosenField
      ? { exists: chosenField.path, where: [condition], ...(chosenField.via && { via: chosenField.via }) }
      : condition,
  ];
}
/**
 * Adds a doubt to "scans in North" if both a lift and a valley are called North. svc chooses the name that is closest
 * to the scans. There is no doubt if a field of scans has that value.
 */
function addNearestNameDoubt(
  s: NameResolution,
  phrase: string,
  { path, field, dataset }: PlacedField,
  candidates: readonly { of: PlacedField | RelatedField }[],
  { home, from }: FilterContext,
): void {
  const isNamed =
    dataset.name === s.dataset(from).name && (from !== home || !s.vocabulary.displayFieldsOf(from).includes(field));
  const routes = s.vocabulary.graph.pathsFrom(home);
  // Only a name competes with a property on the way to it: marks in Math are marks of courses in Math, not of their
  // teachers.
  const competes = (other: PlacedField): boolean =>
    other.field !== field &&
    (s.vocabulary.displayFieldsOf(other.dataset.name).includes(other.field) ||
      !routes.get(other.path)?.via.some(({ role }) => role === path));
  const otherField = candidates.map(({ of }) => ('at' in of ? of.at : of)).find(competes);
  if (isNamed || !otherField) return;
  const [chosenName, otherName] = [dataset, otherField.dataset].map(({ name }) => name.replaceAll('_', ' '));
  s.addDoubt(
    `svc read "${phrase}" as the ${field.name.replaceAll('_', ' ')} of ${chosenName}, but it can also be the ${otherField.field.name.replaceAll('_', ' ')} of ${otherName}.`,
  );
}

/**
 * Returns true if the value describes a parent row that classifies the rows: "annual subscriptions" means subscriptions
 * with an annual plan. A state such as "active" describes only the noun next to it: "active invoices" doesn't mean
 * invoices of active accounts.
 */
const isKindOfDataset = (
  s: NameResolution,
  { path, dataset, field }: PlacedField,
  from: string,
  { any, features }: Value,
): boolean =>
  field.dictionary !== null &&
  dataset.name === path &&
  s.vocabulary.graph.paths(from, path).some(({ hops, ambiguous }) => hops === 1 && !ambiguous) &&
  !(features.includes('state') && any.some(({ text }) => isStateWord(fold(text))));
/** Keeps only fields of the verb's object, if the verb can restrict rows. */
const listFieldsOfObject = (s: NameResolution, verb: string, options: readonly FieldCandidate[]): FieldCandidate[] =>
  options.filter(({ dataset }) => !VERB_SETS.active.has(verb) || isObjectOfVerb(s, verb, dataset));
const withoutSharedRows = ({ home, by }: FilterContext, where: Filter[]): Filter => ({
  not_exists: home,
  where,
  sharing: by!.field.name,
});

function createNegatedFilter(s: NameResolution, predicate: Predicate, context: FilterContext): Filter {
  if (predicate.is === 'has') return combineFilters(toFiltersOnRelatedRows(s, predicate, context, true));
  const [first, second] = toFilter(s, predicate, context);
  if (!first || second) return reject('several rows are not possible here');
  // A negated condition on a thing with several rows means that no row matches.
  if (context.by)
    return 'field' in first && context.thing
      ? withoutSharedRows(context, [first])
      : reject('the condition may be on some rows or on all');
  if ('exists' in first) return negateExists(first);
  if ('not' in first) return first.not;
  if ('field' in first && (first.op === '=' || first.op === 'in'))
    return { ...first, op: first.op === '=' ? '!=' : 'not_in', or_null: true };
  return { not: first };
}

/** In "cancelled a subscription in 2023", the period applies to the cancellation. */
const isDatedBy = (s: NameResolution, { options, predicates }: Entities, verb: string): boolean =>
  predicates.filter((predicate) => predicate.is === 'time' && predicate.verb === null && predicate.field === null)
    .length === 1 && options.every(({ dataset, by }) => !by && hasEventDate(s, dataset, verb));
const addEventVerb = (things: Entities, verb: string): Entities => ({
  ...things,
  predicates: things.predicates.map((predicate) => (predicate.is === 'time' ? { ...predicate, verb } : predicate)),
});

export const isOfRows = ({ options }: Entities, homeDataset: string): boolean =>
  options.some(({ dataset, role, by }) => dataset === homeDataset && !role && !by);

/**
 * Converts a condition on related rows. After a many-to-one step, the condition applies to the row itself. Otherwise,
 * the condition requires that matching related rows exist.
 */
function toFiltersOnRelatedRows(
  s: NameResolution,
  { things, verb, count }: Pick<Extract<Predicate, { is: 'has' }>, 'things' | 'verb' | 'count'>,
  context: FilterContext,
  isNegated: boolean,
): Filter[] {
  if (verb && !count && isDatedBy(s, things, verb))
    return toFiltersOnRelatedRows(s, { things: addEventVerb(things, verb), verb: null, count }, context, isNegated);
  if (verb)
    requireLink(
      s,
      verb,
      context.home,
      things.options.map(({ dataset }) => dataset),
    );
  const { home, from } = context;
  // In "customers who never ordered in 2016", none of a customer's rows may match.
  if (isNegated && verb === null && !count && context.by && context.thing && isOfRows(things, home)) {
    const where = toFilters(s, things.predicates, { home, from: home });
    return where.length > 0 ? [withoutSharedRows(context, where)] : reject('each one has such rows');
  }
  // In "cities of patients with a visit", the condition applies to the rows that contain the cities.
  if (context.by)
    return context.distinct && verb === null && !count && !isNegated && isOfRows(things, home)
      ? toFilters(s, things.predicates, { home, from: home })
      : reject('a value has no related rows');
  const option = s.pick(
    'which name',
    things.text,
    things.options
      .filter(({ by }) => !by)
      .map((option) => ({ of: option, key: option.role ?? option.dataset, cost: 0 })),
  );
  const { dataset, role } = option;
  // "profit on lines with a discount over 20 percent" means the profit of those lines.
  const areNumbers =
    things.predicates.length > 0 &&
    things.predicates.every((predicate) => predicate.is === 'compare' || predicate.is === 'amount');
  if (dataset === from && !role && !isNegated && !count && verb === null && areNumbers)
    return findDistinctCountMetric(s.vocabulary, dataset, things.text)
      ? reject('unclear if rows or things are meant')
      : toFilters(s, things.predicates, { home, from });
  if (dataset === from && !role) return reject('a thing is not related to itself');
  if (s.leadsTo(from, dataset)) {
    const path = s.path(home, dataset, role, things.text);
    if (count) return reject('each has at most one');
    const innerFilters = toFilters(s, things.predicates, { home, from: dataset }).map((filter) =>
      bindToRole(s, filter, home, option),
    );
    if (isNegated && innerFilters.length > 0) return reject('the condition is not on the whole');
    if (isNegated && s.vocabulary.lens.rowPolicies.some((policy) => policy.dataset === dataset))
      return reject('a row policy may hide it');
    if (!isNegated && innerFilters.length === 0 && verb === null) return reject('it restricts nothing');
    return innerFilters.length > 0
      ? innerFilters
      : [{ field: { path, field: findSingleKey(s, path) }, op: isNegated ? 'is_null' : 'is_not_null', values: [] }];
  }
  if (role) reject('the role is not one of these rows');
  return createRelatedFilter(s, { things, verb, count }, dataset, context, isNegated);
}

/** A condition on a role applies only to that role: "employees with a supervisor in Rome". */
export function bindToRole(
  s: NameResolution,
  filter: Filter,
  homeDataset: string,
  { dataset, role }: EntityCandidate,
): Filter {
  if (role === undefined) return filter;
  if (!('field' in filter) || filter.other || filter.than) return reject('not a condition on a role');
  const { path } = filter.field;
  if (path === dataset) return { ...filter, field: { ...filter.field, path: role } };
  const steps = s.vocabulary.graph.pathsFrom(homeDataset).get(path)?.via ?? [];
  return steps.some((step) => step.role === role) ? filter : reject('the condition is on another role');
}

/** Filters for things with related rows: some, none, or a given number of them. */
function createRelatedFilter(
  s: NameResolution,
  { things, verb, count }: Pick<Extract<Predicate, { is: 'has' }>, 'things' | 'verb' | 'count'>,
  dataset: string,
  context: FilterContext,
  isNegated: boolean,
): Filter[] {
  const { home, from } = context;
  if (count && findDistinctCountMetric(s.vocabulary, dataset, things.text))
    return reject('unclear if rows or things are meant');
  addCountedRowsDoubt(s, things.text);
  // The question "customers with fewer than 3 orders" can include or exclude customers without orders.
  if (count?.op.startsWith('<')) return reject('unclear if things with none are included');
  const asExistence = (exists: ExistsFilter): Filter[] => [isNegated ? negateExists(exists) : exists];
  const bounds = count ? toCountBounds(count.op, count.value) : {};
  if (context.outerPath === dataset) return reject('describes the outer rows');
  if (s.leadsTo(dataset, from)) {
    const routes = s.vocabulary.graph.paths(dataset, from);
    const via =
      routes.length > 1
        ? s.pick(
            'which way',
            things.text,
            routes.map(({ path, hops }) => ({ of: path, key: path, cost: hops })),
          )
        : undefined;
    return asExistence({
      exists: dataset,
      where: toFilters(s, things.predicates, { home: dataset, from: dataset, outerPath: from }),
      ...(via && { via }),
      ...bounds,
    });
  }
  const links = s.vocabulary.graph
    .linkingDatasets(from, dataset)
    .filter((link) => link !== home && (verb === null || isNamedByVerb(s, verb, link)));
  if (links.length === 0) return reject(`no dataset links ${things.text} to these rows`);
  const link = s.pick(
    'which way',
    things.text,
    links.map((link) => ({ of: link, key: link, cost: 0 })),
  );
  const linksOnlyPairs = s.isPureLinkTable(link, from, dataset);
  if (count && !linksOnlyPairs) return reject('counted through rows that may repeat');
  return asExistence({
    exists: link,
    where: toFilters(s, things.predicates, { home: link, from: dataset, outerPath: from }),
    ...bounds,
  });
}
/** Adds a doubt to a question such as "lifts without scans" if the metric `scans` counts only some rows of its dataset. */
function addCountedRowsDoubt(s: NameResolution, phrase: string): void {
  const { phrases, key } = s.vocabulary;
  const namedMetrics = (phrases.get(key(phrase)) ?? []).flatMap((item) =>
    item.kind === 'metric' ? [item.metric] : [],
  );
  const countMetric = namedMetrics.find(({ filter }) => filter !== null);
  if (countMetric)
    s.addDoubt(`"${phrase}" means all rows here, but the metric ${countMetric.name} counts only some of them.`);
}
const findSingleKey = (s: NameResolution, path: string): string =>
  s.dataset(path).primaryKey[0] ?? reject(`${path} has no key`);
/** The condition "over 500 euros" refers to the only field with this currency. */
function createAmountFilter(
  s: NameResolution,
  { op, values, unit }: Extract<Predicate, { is: 'amount' }>,
  { home, by, rowsName }: FilterContext,
): Filter[] {
  if (by || findDistinctCountMetric(s.vocabulary, s.dataset(home).name, rowsName ?? ''))
    return reject('the condition may be on one row or on all of them');
  const matchingFields = s.vocabulary
    .dataset(home)
    .fields.filter((field) => isNumeric(field.datatype) && !field.masked && isMeasuredInUnit(unit, field));
  if (matchingFields.length === 0) return reject('no field has this unit');
  const field = s.pick(
    'which name',
    `${op} ${values[0]} ${unit}`,
    matchingFields.map((matchingField) => ({ of: matchingField, key: `${home}.${matchingField.name}`, cost: 0 })),
  );
  const unitValues = values.map((value) => convertToUnit(value, unit, field));
  return [{ field: { path: home, field: field.name }, op: op as Operator, values: unitValues }];
}
const isMeasuredInUnit = (unit: string, { unit: fieldUnit }: LensField): boolean => {
  const [one, other] = [unit, fieldUnit ?? ''].map(toUnitKey);
  return !!one && !!other && (one === other || convertUnit(1, one, other) !== null);
};
