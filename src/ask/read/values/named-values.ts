// Finds the comparisons whose value must be stored: names, keys and codes. If such a value isn't stored, the question
// contains a mistake. If no row has the requested amount, date or boolean, the empty result is a correct answer.

import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { findField, type Lens, type LensDataset, type LensField } from '../../../lens/model/lens.ts';
import { listConditions } from '../../../plan/filters.ts';
import type { Condition, LensPlan } from '../../../plan/lens-plan.ts';

const EQUALITY_OPERATORS = new Set<Condition['op']>(['=', '!=', 'in', 'not_in']);
const PATTERN_OPERATORS = new Set<Condition['op']>(['contains', 'starts_with', 'ends_with']);

export interface ValueMention {
  condition: Condition;
  dataset: LensDataset;
  field: LensField;
  term: string;
}

/** Values of a comparison that the cache confirms, without a query. */
export interface CachedMention {
  mention: ValueMention;
  values: string[];
}

/** Every comparison of the plan that names a stored value, including comparisons in measures. */
export const findValueMentions = (lens: Lens, lensPlan: LensPlan): ValueMention[] =>
  listConditions(lensPlan).flatMap((condition) => findValueMention(lens, condition) ?? []);

export const hasPattern = (lensPlan: LensPlan): boolean =>
  listConditions(lensPlan).some(({ op }) => PATTERN_OPERATORS.has(op));

function findValueMention(lens: Lens, condition: Condition): ValueMention | null {
  const { path, field: name, grain } = condition.field;
  const dataset = findDatasetOfPath(lens, path);
  const field = dataset && findField(dataset, name);
  if (
    !dataset ||
    !field ||
    field.masked ||
    grain ||
    condition.than ||
    condition.other ||
    !EQUALITY_OPERATORS.has(condition.op)
  )
    return null;
  return requiresStoredValue(lens, dataset, field) ? { condition, dataset, field, term: `${path}.${name}` } : null;
}

export function requiresStoredValue(lens: Lens, dataset: LensDataset, field: LensField): boolean {
  if (field.datatype === 'string') return true;
  if (field.datatype !== 'integer' && field.datatype !== 'decimal') return false;
  if (isKey(lens, dataset, field.name) || field.dictionary !== null || field.dictionaryFromWarehouse) return true;
  return (
    field.datatype === 'integer' &&
    field.unit === null &&
    !AMOUNT_NAME_PATTERN.test(field.name) &&
    !isAggregatedByMetric(lens, dataset, field)
  );
}

/**
 * An integer field whose name matches this pattern is an amount or a time. All other integer fields are identifiers.
 */
const AMOUNT_NAME_PATTERN =
  /(?:^|_)(?:count|counter|cnt|qty|quantity|amount|amt|total|sum|age|year|yr|month|quarter|week|weekday|day|hour|minute|second|score|rating|grade|point|size|length|width|height|depth|weight|area|distance|duration|rank|position|place|price|cost|value|percent|pct|rate|capacity|stock|balance|salary|income|population|temperature|latitude|longitude|elevation|(?!status$|class$|address$|\w*ss$)\w+s)$|^(?:num|number|count|total|n|no)_of_|^(?:num|count|total|n)_|[a-z](?:Count|Qty|Quantity|Amount|Total|Year|Month|Day|Age|Score|Size)$/i;

/** Whether a metric sums or averages the field. A field that a metric counts or filters by can still be a code. */
const isAggregatedByMetric = (lens: Lens, { name: dataset }: LensDataset, { name }: LensField): boolean =>
  lens.metrics.some(
    ({ expression, references: { fields } }) =>
      fields.some((field) => field.dataset === dataset && field.field === name) &&
      new RegExp(String.raw`\b(?:sum|avg|median)\s*\(\s*\w+\.${name.replaceAll(/\W/g, '\\$&')}\s*\)`, 'i').test(
        expression,
      ),
  );

const isKey = (lens: Lens, { name, primaryKey }: LensDataset, column: string): boolean =>
  primaryKey.includes(column) ||
  lens.relationships.some(
    ({ from, to }) =>
      (from.dataset === name && from.columns.includes(column)) || (to.dataset === name && to.columns.includes(column)),
  );

/** The canonical form of a number: 1000 for "1e3", 0.5 for ".50". Null if the value isn't a number, or is very large. */
export function toCanonicalNumber(value: unknown): string | null {
  const match = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (!match) return null;
  const [, sign, integer = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const zeros = '0'.repeat(Math.abs(shift));
  const digits = shift < 0 ? zeros + integer + fraction : integer + fraction + zeros;
  const point = integer.length + Math.max(shift, 0);
  const whole = digits.slice(0, point).replace(/^0+/, '') || '0';
  const part = digits.slice(point).replace(/0+$/, '');
  const number = part ? `${whole}.${part}` : whole;
  return sign === '-' && number !== '0' ? `-${number}` : number;
}
