// Converts an intent back to a plan that can be changed and sent again. Null if the plan language can't
// express a part of it, because a plan that means less would be another question.

import type { z } from 'zod';
import type {
  PlanDimension,
  PlanFilter,
  PlanHaving,
  PlanMeasure,
  PlanValue,
  PlanWindow,
  plan,
} from '../../contract/plan.ts';
import type {
  Condition,
  Exists,
  FieldRef,
  Filter,
  Grouping,
  Having,
  Intent,
  Measure,
  Order,
  RowValue,
  TimeWindow,
} from '../model/intent.ts';

export type Plan = z.input<typeof plan>;

class NotExpressible extends Error {
  override name = 'NotExpressible';
}
const notExpressible = (): never => {
  throw new NotExpressible();
};

export function planOfIntent(intent: Intent): Plan | null {
  try {
    return written(intent);
  } catch (fault) {
    if (fault instanceof NotExpressible) return null;
    throw fault;
  }
}

function written(intent: Intent): Plan {
  const {
    measures,
    dimensions,
    filters,
    having,
    time,
    order_by: order,
    limit,
    offset,
    limit_per: perGroup,
    per: groupKeys,
    every,
  } = intent;
  const said = measures.map(measureOf);
  const plain = said.findIndex((one) => typeof one !== 'string');
  const metrics = said.slice(0, plain < 0 ? said.length : plain) as string[];
  const ordered = order.map((one) => orderOf(one, intent));
  const byMeasure = intent.grouped && having.length === 0 && !groupKeys?.length;
  return {
    ...(metrics.length > 0 && { metrics }),
    ...(metrics.length < said.length && { measures: said.slice(metrics.length) }),
    ...(dimensions.length > 0 && { dimensions: dimensions.map(dimensionOf) }),
    ...(intent.rows !== undefined && measures.length === 0 && { rows: intent.rows }),
    ...(filters.length > 0 && { filters: filters.map(filterOf) }),
    ...(time && { time: windowOf(time) }),
    ...(having.length > 0 && { having: having.map(havingOf) }),
    ...(groupKeys?.length && { per: groupKeys }),
    ...(every && { every: typeof every === 'string' ? every : nameOf(every) }),
    ...(ordered.length > 0 && { order_by: ordered }),
    ...(limit !== null && { limit }),
    ...(offset && { offset }),
    ...(perGroup && {
      limit_per: {
        by: perGroup.by.map(dimensionOf),
        rows: perGroup.rows,
        ...(perGroup.ties && { ties: true }),
      },
    }),
    ...((intent.distinct || byMeasure) && { distinct: true }),
  };
}

const nameOf = ({ path, field, grain }: FieldRef): string => [path, field, grain].filter(Boolean).join('.');

function dimensionOf({ bin, when, value, through, as, ...ref }: Grouping): PlanDimension {
  if (value) return { value: planValueOf(value), ...(bin !== undefined && { bin }), as: as ?? notExpressible() };
  if (when) return { when: when.map(filterOf), as: as ?? ref.field };
  if (bin === undefined && !through && as === undefined) return nameOf(ref);
  return {
    field: nameOf(ref),
    ...(bin !== undefined && { bin }),
    ...(through && {
      through: through.path,
      ...(through.where.length > 0 && { where: through.where.map(filterOf) }),
    }),
    ...(as !== undefined && { as }),
  };
}

function measureOf(measure: Measure): PlanMeasure {
  if (measure.fn === 'metric' && !measure.where && measure.as === undefined) return measure.metric;
  const said = Object.entries(measure).flatMap(([key, value]): [string, unknown][] =>
    value === undefined || UNSAID.has(key) || (key === 'of' && measure.fn === 'count_groups')
      ? []
      : [[key, memberOf(key, value)]],
  );
  return Object.fromEntries(said) as PlanMeasure;
}
/** The rows of a value follow from its fields. */
const UNSAID = new Set(['home']);
function memberOf(key: string, value: unknown): unknown {
  switch (key) {
    case 'field':
      return nameOf(value as FieldRef);
    case 'value':
      return planValueOf(value as RowValue);
    case 'of':
      return Array.isArray(value) ? value.map(measureOf) : measureOf(value as Measure);
    case 'where':
      return (value as Filter[]).map(filterOf);
    case 'within':
      return (value as Grouping[]).map(dimensionOf);
    case 'by':
      return Array.isArray(value) ? value.map(dimensionOf) : value;
    case 'having':
      return (value as Having[]).map(havingOf);
    case 'every':
      return typeof value === 'string' ? value : nameOf(value as FieldRef);
    case 'from':
    case 'to':
      return windowOf(value as TimeWindow);
    default:
      return value;
  }
}
function planValueOf(value: RowValue): PlanValue {
  if (typeof value === 'number') return value;
  if ('op' in value) return { op: value.op, of: value.of.map(planValueOf) };
  if ('items' in value) return { ...value, items: nameOf(value.items) };
  if ('in' in value) return { ...value, from: nameOf(value.from), to: nameOf(value.to) };
  return 'or' in value ? { ...value, field: nameOf(value.field) } : nameOf(value);
}
const withoutName = ({ as: _as, ...rest }: Measure): Measure => rest as Measure;
/** The name is already an output column. */
const unnamedMeasure = (measure: Measure): PlanMeasure => measureOf(withoutName(measure));

function filterOf(filter: Filter): PlanFilter {
  if ('field' in filter) return conditionOf(filter);
  if ('exists' in filter) return existsOf(filter);
  if ('not' in filter) return { not: filterOf(filter.not) };
  return 'any' in filter ? { any: filter.any.map(filterOf) } : { all: filter.all.map(filterOf) };
}

function conditionOf({ field: ref, op, values, orNull, than, other, caseInsensitive }: Condition): PlanFilter {
  const field = nameOf(ref);
  if (caseInsensitive === false) return notExpressible();
  if (orNull)
    return {
      any: [
        { field, op, values },
        { field, op: 'is_null', values: [] },
      ],
    };
  if (other)
    return {
      ...{ field, op, values: [] },
      other: { field: nameOf(other.field), ...(other.plus && { plus: other.plus }) },
    };
  if (!than) return { field, op, values };
  const { fn, where, per } = than;
  return {
    ...{ field, op, values: [] },
    than: {
      fn,
      field: nameOf(than.field),
      ...(where?.length && { where: where.map(filterOf) }),
      ...(per?.length && { per: per.map(nameOf) }),
    },
  };
}

function existsOf({ exists: path, negated, via, where, count, total, sharing }: Exists): PlanFilter {
  if (total || sharing) return notExpressible();
  return {
    ...(negated ? { not_exists: path } : { exists: path }),
    ...(via !== undefined && { via }),
    ...(where.length > 0 && { where: where.map(filterOf) }),
    ...(count && boundOf(count)),
  };
}

function boundOf({ op, value }: NonNullable<Exists['count']>) {
  switch (op) {
    case '=':
      return { exactly: value };
    case '>':
      return { at_least: value + 1 };
    case '>=':
      return { at_least: value };
    case '<':
      return { at_most: value - 1 };
    case '<=':
      return { at_most: value };
  }
}

const havingOf = ({ measure, op, values, than }: Having): PlanHaving => ({
  measure: unnamedMeasure(measure),
  op,
  values,
  ...(than && { than: unnamedMeasure(than) }),
});

const windowOf = ({ field, from, to }: TimeWindow): PlanWindow => ({ field: nameOf(field), from, to });

function orderOf({ by, direction, nulls }: Order, { measures, dimensions }: Intent) {
  const how = { direction, ...(nulls && { nulls }) };
  if (by.kind === 'measure') return { measure: unnamedMeasure(measures[by.index] ?? notExpressible()), ...how };
  if (by.kind === 'expression') return { measure: unnamedMeasure(by.measure), ...how };
  const shown = dimensions.find((one) => one.as !== undefined && nameOf(one) === nameOf(by.field));
  return { field: shown?.as ?? nameOf(by.field), ...how };
}
