// Converts a condition on a value or an amount to a filter on the field that contains the value or amount.

import { isNumeric } from '../../contract/warehouse.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { type PlainCondition, parsePlainFilter, readStoredValue, resolveDay } from '../../lens/model/plain-filter.ts';
import type { Condition, Filter, Operator } from '../../plan/lens-plan.ts';
import { isParticiple } from '../english/inflection.ts';
import { RESTRICTING_VERBS } from '../english/words.ts';
import { findDistinctCountMetric } from '../words/governed-metrics.ts';
import { findPercentFactor, isPercent } from '../words/percent.ts';
import { foldText, foldValue } from '../words/tokens.ts';
import { convertUnit, toUnitKey } from '../words/units.ts';
import { findFirstWord } from '../words/vocabulary.ts';
import { hasDefaultDateForVerb } from './dates.ts';
import {
  type FieldOfRelatedRows,
  type NameResolution,
  type PlacedField,
  rejectInterpretation,
} from './name-resolution.ts';
import type { FieldCandidate, PredicateOf, ValueCandidate, ValueTerm } from './terms.ts';
import {
  canLinkByVerb,
  hasWordDerivedFromVerb,
  isEventOfOtherRows,
  isObjectOfVerb,
  isStateWord,
  noteLinkingVerb,
  requireRecordedVerb,
  requireVerbLink,
} from './verbs.ts';

/** The rows that conditions restrict. Paths start at `home`, and svc prefers names near `from`. */
export interface FilterContext {
  home: string;
  from: string;
  /** The path of outer rows that these conditions don't restrict. */
  outerPath?: string;
  /** Set if the entities are the values of this field. Each entity then has several rows of `home`. */
  by?: PlacedField;
  /** True if the field identifies individual entities rather than kinds of entities. */
  thing?: boolean;
  /** True if each value counts once, regardless of its number of rows. */
  distinct?: boolean;
  /** The name that the question uses for the rows. */
  rowsName?: string;
}

export const convertToUnit = (value: number, from: string, { unit, description }: LensField): number => {
  const percent = isPercent(from) ? findPercentFactor(unit, description) : null;
  if (percent !== null) return value / percent;
  const [one, other] = [from, unit ?? ''].map(toUnitKey);
  if (!one || !other) return rejectInterpretation('the units differ');
  return one === other ? value : (convertUnit(value, one, other) ?? rejectInterpretation('the units differ'));
};
export const createFieldRef = ({ path, field }: PlacedField) => ({ path, field: field.name });
export const combineFilters = (filters: Filter[]): Filter => (filters.length === 1 ? filters[0]! : { all: filters });
const listCandidateFields = (options: readonly ValueCandidate[]): FieldCandidate[] =>
  options.map(({ dataset, field }) => ({ dataset, fields: [field], loose: 0 }));
/**
 * Returns the possible fields of the values: the field that the question names, or the fields that contain every value.
 */
const listFieldsOfValue = (value: ValueTerm): FieldCandidate[] => {
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
  // The field name can include a role. For example, in "origin city Boston", the city belongs to the role origin.
  return fieldCandidates.flatMap((item) => {
    const matchingRoles = roles.filter(
      ({ dataset, fields }) => dataset === item.dataset && fields.includes(item.fields[0]!),
    );
    return matchingRoles.length > 0 ? matchingRoles.map(({ role }) => ({ ...item, role })) : [item];
  });
};
const findStoredValues = (s: NameResolution, value: ValueTerm, placedField: PlacedField): string[] => [
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
/**
 * Returns the stored spellings of a quoted string, because the question may use other white space or quotation marks.
 */
function listSpellingsOfQuoted({ vocabulary }: NameResolution, text: string, { field }: PlacedField): string[] {
  const spellings = vocabulary.valuesSpelled(foldValue(text)).filter((entry) => entry.field === field);
  return spellings.length > 0 ? spellings.map(({ value }) => value) : [text];
}

function createDefinedFilter(
  s: NameResolution,
  value: ValueTerm,
  word: string | null,
  context: FilterContext,
): Filter[] {
  const alternatives = value.any.map(({ text, defined }): Filter[] => {
    const filter = (defined && s.resolveSense(defined).filter) ?? rejectInterpretation(`${text} is not a condition`);
    const conditions =
      parsePlainFilter(filter) ?? rejectInterpretation(`only metrics can use the condition of ${text}`);
    return conditions.flatMap((condition) => placeDefinedCondition(s, condition, text, word, context));
  });
  return alternatives.length === 1 ? alternatives.flat() : [{ any: alternatives.map(combineFilters) }];
}
function placeDefinedCondition(
  s: NameResolution,
  { path: sourceName, field: name, op, values }: PlainCondition,
  text: string,
  word: string | null,
  context: FilterContext,
): Filter[] {
  const { graph } = s.vocabulary;
  const dataset = graph.datasetOf(sourceName) ?? rejectInterpretation(`${sourceName} is neither a dataset nor a role`);
  const role = dataset === sourceName ? undefined : sourceName;
  const field =
    s.vocabulary.dataset(dataset).fields.find((field) => field.name === name) ??
    rejectInterpretation(`${name} is not a field of ${dataset}`);
  const placedField = s.field(context.home, [{ dataset, role, fields: [field], loose: 0 }], text, context.from);
  // Rejects a defined term that describes a joined dataset instead of the entities next to the term. For example,
  // "invoices paid late" says how the invoices were paid, not that their shipments were late.
  if (
    !(word === null && context.by) &&
    (word === null || isParticiple(word)) &&
    placedField.dataset !== s.dataset(context.from)
  )
    rejectInterpretation(`${text} describes ${dataset}`);
  if (context.by)
    s.addDoubt(`"${text}" is defined for single rows. The answer includes everything that has at least one such row.`);
  const { path } = placedField;
  const [key] = placedField.dataset.primaryKey;
  // A null test on a joined row requires that the joined row exists. For example, "meters whose installer hasn't left"
  // excludes meters without an installer.
  const existence: Filter[] =
    op === 'is_null' && path !== context.home && key
      ? [{ field: { path, field: key }, op: 'is_not_null', values: [] }]
      : [];
  return [
    {
      field: createFieldRef(placedField),
      op,
      values: values.map((value) => resolveDay(value, s.today) ?? readStoredValue(value)),
    },
    ...existence,
  ];
}

export function createValueFilter(
  s: NameResolution,
  { value, word, led: roleWord, called }: PredicateOf<'value'>,
  context: FilterContext,
): Filter[] {
  if (value.any.some(({ defined }) => defined)) return createDefinedFilter(s, value, word, context);
  const fieldOptions = word ? listFieldsOfObject(s, word, listFieldsOfValue(value)) : listFieldsOfValue(value);
  const { vocabulary } = s;
  const isName = ({ dataset, fields }: FieldCandidate): boolean =>
    vocabulary.displayFieldsOf(dataset).includes(fields[0]!);
  const names = called ? fieldOptions.filter(isName) : [];
  const haveNames = fieldOptions.every(({ dataset }) => vocabulary.displayFieldsOf(dataset).length > 0);
  if (called === 'by name' && !context.by && names.length === 0 && haveNames)
    return rejectInterpretation(`${value.text} is not a name`);
  const options = names.length > 0 ? names : fieldOptions;
  const isNamed =
    word !== null && options.every(({ fields }) => fields.some(({ name }) => hasWordDerivedFromVerb(name, word)));
  if (word) {
    const acceptVerb = isNamed || hasDefaultDateForVerb(s, context.home, word) ? noteLinkingVerb : requireVerbLink;
    acceptVerb(
      s,
      word,
      context.home,
      options.map(({ dataset }) => dataset),
    );
  }
  if (word && !isNamed) requireRecordedVerb(s, word, context);
  // A value next to the name of an entity describes the entity itself.
  const isAdjacent = word === null && !value.field;
  const directFields = s
    .filterCandidatesByRole(roleWord, s.listDirectCandidates(context.home, options, context.from))
    .filter(
      ({ of }) => !isAdjacent || of.dataset === s.dataset(context.from) || classifiesRows(s, of, context.from, value),
    )
    // In "customers who ship chemicals", chemicals are what the shipments contain, not what the customers are.
    .filter(
      ({ of }) =>
        isNamed || !word || of.dataset !== s.dataset(context.home) || !isEventOfOtherRows(s, word, context.home),
    );
  const relatedFields = (isAdjacent ? [] : s.listRelatedCandidates(context.home, options, context.from)).filter(
    ({ of }) => !word || canLinkByVerb(s, word, of.path),
  );
  const chosenField = s.pick<PlacedField | FieldOfRelatedRows>('which name', value.text, [
    ...directFields,
    ...relatedFields,
  ]);
  if (context.outerPath && chosenField.path === context.outerPath)
    return rejectInterpretation('the condition describes the outer rows');
  const placedField = 'at' in chosenField ? chosenField.at : chosenField;
  if (word && !isNamed && placedField.dataset === s.dataset(context.home))
    requireVerbLink(s, word, context.home, [placedField.dataset.name]);
  if (!value.field) {
    const rivals =
      'at' in chosenField
        ? relatedFields
        : [...directFields, ...s.listDirectCandidates(context.home, options, context.from, true)];
    addNearestNameDoubt(s, value.text, placedField, rivals, context);
    addLongerNameDoubt(s, value.text, placedField, context);
  }
  if (!value.field && isNumeric(placedField.field.datatype))
    rejectInterpretation("a number alone doesn't identify a field");
  const values = findStoredValues(s, value, placedField);
  const condition: Condition = { field: createFieldRef(placedField), op: values.length === 1 ? '=' : 'in', values };
  return [
    'at' in chosenField
      ? { exists: chosenField.path, where: [condition], ...(chosenField.via && { via: chosenField.via }) }
      : condition,
  ];
}
/**
 * Adds a doubt if names in two joined datasets match the value. For example, for "scans in North", both a lift and a
 * valley can be called North, and svc chooses the dataset that is closest to the scans. There is no doubt if a field of
 * the scans themselves contains the value.
 */
function addNearestNameDoubt(
  s: NameResolution,
  phrase: string,
  chosenField: PlacedField,
  candidates: readonly { of: PlacedField | FieldOfRelatedRows }[],
  { home, from }: FilterContext,
): void {
  const { path, field, dataset } = chosenField;
  const isNamed =
    dataset.name === s.dataset(from).name && (from !== home || !s.vocabulary.displayFieldsOf(from).includes(field));
  const routes = s.vocabulary.graph.pathsFrom(home);
  // A value of a dataset on the path takes precedence, unless the value is a name. For example, "marks in Math" means
  // marks of courses in Math, not marks of teachers in Math.
  const competes = (other: PlacedField): boolean =>
    other.field !== field &&
    (s.vocabulary.displayFieldsOf(other.dataset.name).includes(other.field) ||
      !routes.get(other.path)?.via.some(({ role }) => role === path));
  const otherField = candidates.map(({ of }) => ('at' in of ? of.at : of)).find(competes);
  if (!isNamed && otherField) s.addOtherFieldDoubt(phrase, chosenField, otherField);
}

/**
 * Adds a doubt if a longer name in another dataset begins with the value. For example, "revenue of Acme" can mean the
 * customer Acme Foods, even if a carrier is called Acme.
 */
function addLongerNameDoubt(
  s: NameResolution,
  phrase: string,
  { field, dataset }: PlacedField,
  { home }: FilterContext,
): void {
  const { vocabulary } = s;
  if (!vocabulary.displayFieldsOf(dataset.name).includes(field)) return;
  const folded = foldValue(phrase);
  const longerName = (vocabulary.values.get(findFirstWord(folded)) ?? []).find(
    (entry) =>
      entry.folded.startsWith(`${folded} `) &&
      entry.field !== field &&
      vocabulary.displayFieldsOf(entry.dataset).includes(entry.field) &&
      !vocabulary.lens.rowPolicies.some((policy) => policy.dataset === entry.dataset) &&
      (entry.dataset === home || s.reaches(home, entry.dataset)),
  );
  if (longerName)
    s.addDoubt(
      `svc read "${phrase}" as the ${field.name.replaceAll('_', ' ')} of ${dataset.name.replaceAll('_', ' ')}, but names of ${longerName.dataset.replaceAll('_', ' ')} can also begin with it.`,
    );
}

/**
 * Returns true if the value describes a parent row that classifies the rows. For example, "annual subscriptions" means
 * subscriptions with an annual plan. Returns false for a state such as "active", because "active invoices" doesn't mean
 * invoices of active accounts.
 */
const classifiesRows = (
  s: NameResolution,
  { path, dataset, field }: PlacedField,
  from: string,
  { any, features }: ValueTerm,
): boolean =>
  field.dictionary !== null &&
  dataset.name === path &&
  s.vocabulary.graph.paths(from, path).some(({ hops, ambiguous }) => hops === 1 && !ambiguous) &&
  !(features.includes('state') && any.some(({ text }) => isStateWord(foldText(text))));
/** Keeps only the fields of the verb's objects if the verb can restrict rows. */
const listFieldsOfObject = (s: NameResolution, verb: string, options: readonly FieldCandidate[]): FieldCandidate[] =>
  options.filter(({ dataset }) => !RESTRICTING_VERBS.has(verb) || isObjectOfVerb(s, verb, dataset));
/**
 * Creates a filter on the only field in the unit of the amount. For example, "over 500 euros" refers to the only field
 * in euros.
 */
export function createAmountFilter(
  s: NameResolution,
  { op, values, unit }: PredicateOf<'amount'>,
  { home, by, rowsName }: FilterContext,
): Filter[] {
  if (by || findDistinctCountMetric(s.vocabulary, s.dataset(home).name, rowsName ?? ''))
    return rejectInterpretation('the condition could be about one row or all rows');
  const matchingFields = s.vocabulary
    .dataset(home)
    .fields.filter((field) => isNumeric(field.datatype) && !field.masked && isMeasuredInUnit(unit, field));
  if (matchingFields.length === 0) return rejectInterpretation('no field has this unit');
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
