// Finds sums and averages that compile, but may have no meaning: they mix currencies or units, or sum values that may
// not be additive.

import { isNumeric } from '../contract/warehouse.ts';
import { inferAdditivity } from '../lens/model/aggregation.ts';
import { findDatasetOfPath } from '../lens/model/join-paths.ts';
import { findDataset, findField, type Lens, type LensDataset, type LensField } from '../lens/model/lens.ts';
import { parsePlainFilter } from '../lens/model/plain-filter.ts';
import { findMetric, listSimpleBases } from './base-measures.ts';
import { listInnerFilters, listTopLevelFilters } from './filters.ts';
import {
  type Aggregate,
  type FieldRef,
  type Filter,
  findSummedExtreme,
  isBaseMeasure,
  isSameField,
  type LensPlan,
  listBaseMeasures,
  listFields,
  listHavingMeasures,
  listInnerMeasures,
  listNestedMeasures,
  type Measure,
  type MetricMeasure,
  type RowValue,
} from './lens-plan.ts';
import { restrictsToOneValue } from './restricts-to-one-value.ts';

const CURRENCY_NAME_PATTERN = /(?:^| )(?:currency|curr|ccy)(?:$| )/i;
const EXCHANGE_RATE_PATTERN = /(?:^| )(?:fx|forex|xrate|exchange|kurs)(?: |$)|^(?:currency|ccy|eur|usd|gbp|chf) rate$/i;
const MONEY_NAME_PATTERN = /(?:^|[_ ])(?:amount|amt|cost|fee)(?:$|[_ ])/i;
const NON_MONEY_NAME_PATTERN =
  /(?:^|[_ ])(?:pages?|words?|copies|pieces|items?|qty|quantity|count|units?$|rate|ratio|percent|pct|score|rating|stars|points|weight|kg|km|distance|hours?|minutes?|seconds?|days|months?|years?|age|number|no|id|discount|disc|fraction)(?:$|[_ ])/i;
const UNIT_NAME_PATTERN = /(?:^| )(?:units?|uom|unit of measure(?:ment)?)$/i;
/** Names of quantities whose unit can be in another field. */
const QUANTITY_NAME_PATTERN =
  /(?:^|[_ ])(?:qty|quantity|amount|volume|weight|mass|length|size|dose|dosage|reading|result|measure(?:ment)?|value)$/i;

interface UsedField {
  fn: string;
  dataset: LensDataset;
  field: LensField;
  /** The unit that all added values share. */
  unit: string | null;
}
/** An aggregate, the filters on its rows, and the dimensions that separate its values. */
interface MeasuredBase {
  base: MetricMeasure | Aggregate;
  where: Filter[];
  separatingFields: readonly FieldRef[];
}

export function findDoubtfulMeasures(lens: Lens, plan: LensPlan): string[] {
  const basesGroupedBy = (groupFields: readonly FieldRef[]) => (measure: Measure) =>
    findMeasuredBases(measure, plan.filters, groupFields);
  const uses = [
    ...[...plan.measures, ...plan.having.flatMap(listHavingMeasures)].flatMap(basesGroupedBy(plan.dimensions)),
    ...findRankingBases(plan, basesGroupedBy(plan.limit_per?.by ?? [])),
    ...findComparisonBases(listTopLevelFilters(plan)),
  ];
  const doubts = [
    ...uses.flatMap((use) =>
      findFieldsUsedBy(lens, use.base).map((usedField) => describeMixedUnits(lens, use, usedField)),
    ),
    ...uses.map((use) => describeMixedTimes(lens, plan, use)),
    ...uses.map((use) => describeMixedScenarios(lens, use)),
    ...listNestedMeasures(plan)
      .flatMap((measure) => (measure.fn === 'sum' ? [measure] : (findSummedExtreme(measure) ?? [])))
      .flatMap((measure) => ('value' in measure ? findDoubtfulTerms(lens, measure.value) : []))
      .map(describeDoubtfulTerm),
  ];
  return [...new Set(doubts.filter((item) => item !== null))];
}

/**
 * Finds the terms of an addition or subtraction that have no additive factor, such as an amount or a duration. A price
 * alone isn't additive. Returns each term as a list of its factors, without divisors. For a product of sums, returns only
 * one of the terms that multiplying out would give, because their number grows exponentially.
 */
function findDoubtfulTerms(lens: Lens, value: RowValue): RowValue[][] {
  if (typeof value === 'number' || !('op' in value)) return isAdditiveFactor(lens, value) ? [] : [[value]];
  if (value.op === '/') return findDoubtfulTerms(lens, value.of[0]!);
  const termsOfEach = value.of.map((item) => findDoubtfulTerms(lens, item));
  if (value.op === '+' || value.op === '-') return termsOfEach.flat();
  if (termsOfEach.some((terms) => terms.length === 0)) return [];
  return [termsOfEach.flatMap((terms) => terms.find((factors) => factors.some(hasFields)) ?? terms[0]!)];
}

function isAdditiveFactor(lens: Lens, factor: Exclude<RowValue, { op: string }>): boolean {
  if (typeof factor === 'number') return false;
  if ('in' in factor || 'items' in factor) return true;
  const { path, field: name } = 'or' in factor ? factor.field : factor;
  const dataset = findDatasetOfPath(lens, path);
  const field = dataset && findField(dataset, name);
  return field !== undefined && inferAdditivity(field, dataset!).how === 'sum';
}

const hasFields = (value: RowValue): boolean => listFields(value).length > 0;

function describeDoubtfulTerm(factors: RowValue[]): string | null {
  const fieldPaths = factors.flatMap(listFields).map(({ path, field }) => `${path}.${field}`);
  return fieldPaths.length === 0
    ? null
    : `${fieldPaths.join(' times ')} might not be additive, because the lens doesn’t say that one of these fields is additive. If a field is additive, set "aggregation: sum" on it.`;
}

const OVER_GROUPS_PATTERN = /^(?:share_of_total|rank|groups_.*)$/;
export const findMeasuredBases = (
  measure: Measure,
  filters: Filter[],
  groupFields: readonly FieldRef[],
): MeasuredBase[] => {
  if (isBaseMeasure(measure)) {
    const where = [...filters, ...(measure.where ?? [])];
    const convertedFields = 'value' in measure ? listConvertedFields(measure.value) : [];
    return listBaseMeasures(measure).flatMap((base) =>
      'field' in base && convertedFields.some((ref) => isSameField(ref, base.field))
        ? []
        : [{ base, where, separatingFields: groupFields }],
    );
  }
  // The total that a share divides by can add several currencies, even if the groups separate them.
  const innerFields = OVER_GROUPS_PATTERN.test(measure.fn)
    ? ('within' in measure && measure.within) || []
    : groupFields;
  return listInnerMeasures(measure).flatMap((innerMeasure) => findMeasuredBases(innerMeasure, filters, innerFields));
};

/**
 * Returns the fields that an exchange rate converts. In "net times fx_rate plus fee", svc treats net as converted and
 * fee as unconverted. Other factors, such as a quantity, don't change the currency.
 */
function listConvertedFields(value: RowValue): FieldRef[] {
  if (typeof value === 'number' || !('op' in value)) return [];
  if (value.op === '+' || value.op === '-') {
    const unconverted = value.of.filter((item) => listConvertedFields(item).length === 0).flatMap(listFields);
    return value.of.flatMap(listConvertedFields).filter((ref) => !unconverted.some((other) => isSameField(ref, other)));
  }
  const fields = listFields(value);
  return fields.some(({ field }) => EXCHANGE_RATE_PATTERN.test(replaceUnderscores(field))) ? fields : [];
}

/** Returns the aggregates that rank the result. For example, "the largest invoice" compares all invoices. */
const findRankingBases = (
  { order_by: order, limit, limit_per: limitPer, filters }: LensPlan,
  findBases: (measure: Measure) => MeasuredBase[],
): MeasuredBase[] =>
  limit === null && !limitPer
    ? []
    : order.flatMap(({ measure, field }) =>
        measure
          ? findBases(measure)
          : field
            ? [{ base: { fn: 'max' as const, field }, where: filters, separatingFields: limitPer?.by ?? [] }]
            : [],
      );

/** The average in "above the average" covers all rows, regardless of the rest of the plan. */
const findComparisonBases = (filters: readonly Filter[]): MeasuredBase[] =>
  filters.flatMap((filter) => [
    ...('field' in filter && filter.than
      ? [{ base: filter.than, where: filter.than.where ?? [], separatingFields: filter.than.per ?? [] }]
      : []),
    ...findComparisonBases(listInnerFilters(filter)),
  ]);

const findFieldsUsedBy = (lens: Lens, measure: MetricMeasure | Aggregate): UsedField[] =>
  listSimpleBases(lens, measure).flatMap((base) => {
    const metric = findMetric(lens, base);
    const fns = metric ? metric.references.aggregates.map((fn) => fn.toLowerCase()) : [base.fn];
    const refs = metric
      ? metric.references.fields.map(({ dataset, field }) => ({ path: dataset, field }))
      : 'field' in base
        ? [base.field]
        : [];
    return refs.flatMap(({ path, field: name }): UsedField[] => {
      const dataset = metric ? findDataset(lens, path) : findDatasetOfPath(lens, path);
      const field = dataset && findField(dataset, name);
      if (!field || !isNumeric(field.datatype) || fns.length !== 1) return [];
      return [{ fn: fns[0]!, dataset, field, unit: metric?.unit ?? field.unit }];
    });
  });

const AMOUNT_FUNCTIONS = ['sum', 'avg', 'min', 'max', 'median'];
/**
 * Warns about an aggregate over amounts in several currencies or units, if a column contains the currency or unit of
 * each row.
 */
function describeMixedUnits(
  lens: Lens,
  { where, separatingFields }: MeasuredBase,
  { fn, dataset, field, unit }: UsedField,
): string | null {
  if (!AMOUNT_FUNCTIONS.includes(fn) || unit) return null;
  const isMoney = MONEY_NAME_PATTERN.test(field.name) || !NON_MONEY_NAME_PATTERN.test(field.name);
  const unitField = (isMoney ? findCurrencyField(lens, dataset) : null) ?? findUnitField(dataset, field);
  if (!unitField || (unitField.field.dictionary?.complete && unitField.field.dictionary.values.length < 2)) return null;
  const { path, field: unitColumn, pluralNoun } = unitField;
  const isPinned =
    restrictsToOneValue(where, path, unitColumn.name) ||
    separatingFields.some((ref) => ref.path === path && ref.field === unitColumn.name);
  return isPinned
    ? null
    : `${replaceUnderscores(field.name)} is in several ${pluralNoun} (${path}.${unitColumn.name}), and this answer combines them as if they were one. Name one value of ${path}.${unitColumn.name}, or group by it.`;
}

/** Warns about an average of a level, such as a salary, that covers each time at which the level was recorded. */
function describeMixedTimes(
  lens: Lens,
  { time }: LensPlan,
  { base, where, separatingFields }: MeasuredBase,
): string | null {
  if ((base.fn !== 'avg' && base.fn !== 'median') || !('field' in base)) return null;
  const { path, field: name } = base.field;
  const dataset = findDatasetOfPath(lens, path);
  const field = dataset && findField(dataset, name);
  const { how, at } = field ? inferAdditivity(field, dataset!) : { how: null, at: null };
  if (how !== 'latest' || at === null) return null;
  const isTime = (ref: FieldRef): boolean => ref.path === path && ref.field === at;
  const isLimited =
    (time !== null && isTime(time.field)) ||
    separatingFields.some(isTime) ||
    where.some((filter) => 'field' in filter && isTime(filter.field));
  return isLimited
    ? null
    : `${replaceUnderscores(name)} is a level (like a balance), and this answer covers every ${path}.${at}, not only the latest.`;
}

/**
 * Warns about an aggregate that combines, for example, actual, budget and forecast amounts. svc detects such amounts
 * because each metric for the field keeps only one kind.
 */
function describeMixedScenarios(lens: Lens, { base, where, separatingFields }: MeasuredBase): string | null {
  if (!('field' in base) || !['sum', 'avg', 'median'].includes(base.fn)) return null;
  const { path, field } = base.field;
  const dataset = findDatasetOfPath(lens, path)?.name;
  const metrics = lens.metrics.filter(
    ({ home, references }) =>
      home === dataset &&
      references.aggregates.some((fn) => /^(?:sum|avg)$/i.test(fn)) &&
      references.fields.some((ref) => ref.dataset === dataset && ref.field === field),
  );
  const [conditions = [], ...otherConditions] = metrics.map(({ filter }) => parsePlainFilter(filter ?? '') ?? []);
  const kind = conditions.find((condition) => {
    const values = otherConditions.map((items) =>
      items.find((item) => item.op === '=' && item.path === condition.path && item.field === condition.field),
    );
    return (
      condition.op === '=' && values.every(Boolean) && values.some((item) => item!.values[0] !== condition.values[0])
    );
  });
  if (
    !kind ||
    restrictsToOneValue(where, kind.path, kind.field) ||
    separatingFields.some((ref) => isSameField(ref, kind))
  )
    return null;
  const name = `${kind.path}.${kind.field}`;
  return `Each metric for ${replaceUnderscores(field)} keeps one value of ${name}, and this answer combines all of them. Name one value of ${name}, or group by it.`;
}

interface UnitField {
  path: string;
  field: LensField;
  pluralNoun: 'currencies' | 'units';
}
const isTextField = (namePattern: RegExp, { name, synonyms, datatype }: LensField): boolean =>
  datatype === 'string' && [name, ...synonyms].some((item) => namePattern.test(replaceUnderscores(item)));

export const isCurrencyField = (field: LensField): boolean => isTextField(CURRENCY_NAME_PATTERN, field);
/** The units of the amounts behind the measure. */
export const findUnits = (lens: Lens, measure: Measure): string[] =>
  listBaseMeasures(measure).flatMap((base) => findFieldsUsedBy(lens, base).flatMap(({ unit }) => unit ?? []));

/** Returns the column that contains the unit of a quantity in the same row. */
const findUnitField = (dataset: LensDataset, quantityField: LensField): UnitField | null => {
  const field = QUANTITY_NAME_PATTERN.test(quantityField.name)
    ? dataset.fields.find((field) => isTextField(UNIT_NAME_PATTERN, field))
    : undefined;
  return field ? { path: dataset.name, field, pluralNoun: 'units' } : null;
};

function findCurrencyField(lens: Lens, dataset: LensDataset): UnitField | null {
  let frontier = [{ path: dataset.name, dataset }];
  for (let hops = 0; hops < 3 && frontier.length > 0; hops++) {
    for (const step of frontier) {
      const field = step.dataset.fields.find(
        (field) =>
          isTextField(CURRENCY_NAME_PATTERN, field) && (hops === 0 || !isCurrencyOfOneAmount(field, step.dataset)),
      );
      if (field) return { path: step.path, field, pluralNoun: 'currencies' };
    }
    frontier = frontier.flatMap((step) =>
      lens.relationships.flatMap(({ from, to, role, named }) => {
        const target = from.dataset === step.dataset.name ? findDataset(lens, to.dataset) : undefined;
        return target && hops < 2 ? [{ path: named ? role : target.name, dataset: target }] : [];
      }),
    );
  }
  return null;
}

/** Whether the currency is only for an amount of its own row, such as purch_ccy for the purch_price of a machine. */
function isCurrencyOfOneAmount(currencyField: LensField, { name: dataset, fields }: LensDataset): boolean {
  const qualifier = replaceUnderscores(currencyField.name).replace(CURRENCY_NAME_PATTERN, '').split(' ')[0]!;
  const namesTheRow = replaceUnderscores(dataset)
    .split(' ')
    .some((word) => word.startsWith(qualifier));
  return (
    !namesTheRow &&
    fields.some(({ name, datatype }) => isNumeric(datatype) && replaceUnderscores(name).startsWith(`${qualifier} `))
  );
}

const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ');
