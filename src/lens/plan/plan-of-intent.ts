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
  Averaged,
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
  Windowed,
} from '../model/intent.ts';

export type Plan = z.input<typeof plan>;

type PlanObject = Exclude<PlanMeasure, string>;

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
  const { measures, dimensions, filters, having, time, order, limit, offset, perGroup, groupKeys, every, periods } =
    intent;
  const plain = measures.findIndex((one) => one.kind !== 'metric' || one.as !== undefined);
  const metrics = measures.slice(0, plain < 0 ? measures.length : plain);
  const ordered = order.map((one) => orderOf(one, intent));
  const byMeasure = intent.grouped && having.length === 0 && !groupKeys?.length;
  return {
    ...(metrics.length > 0 && { metrics: metrics.map((one) => (one.kind === 'metric' ? one.name : notExpressible())) }),
    ...(metrics.length < measures.length && { measures: measures.slice(metrics.length).map(measureOf) }),
    ...(dimensions.length > 0 && { dimensions: dimensions.map(dimensionOf) }),
    ...(intent.home !== undefined && measures.length === 0 && { rows: intent.home }),
    ...(filters.length > 0 && { filters: filters.map(filterOf) }),
    ...(time && { time: windowOf(time) }),
    ...(having.length > 0 && { having: having.map(havingOf) }),
    ...(groupKeys?.length && { per: groupKeys }),
    ...(every !== undefined && { every }),
    ...(periods && { every: nameOf(periods) }),
    ...(ordered.length > 0 && { order_by: ordered }),
    ...(limit !== null && { limit }),
    ...(offset && { offset }),
    ...(perGroup && {
      limit_per: {
        by: perGroup.dimensions.map(dimensionOf),
        rows: perGroup.limit,
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
  const named = measure.as === undefined ? {} : { as: measure.as };
  switch (measure.kind) {
    case 'metric':
      return measure.as === undefined ? measure.name : { fn: 'metric', metric: measure.name, as: measure.as };
    case 'aggregate': {
      const { fn, path, field } = measure;
      if (field !== undefined) return { fn, field: nameOf({ path, field }), ...named };
      return fn === 'count' ? { fn, rows: path, ...named } : notExpressible();
    }
    case 'amount':
      return { fn: measure.fn, value: planValueOf(measure.value), ...named };
    case 'listed': {
      const { path, field, distinct, separator } = measure;
      return { fn: 'list', field: nameOf({ path, field }), ...(distinct && { distinct }), separator, ...named };
    }
    case 'restricted': {
      const { of, where } = measure;
      if (!['metric', 'aggregate', 'amount', 'listed'].includes(of.kind)) return notExpressible();
      const inner = measureOf(withoutName(of));
      const whole = typeof inner === 'string' ? { fn: 'metric' as const, metric: inner } : inner;
      return { ...whole, where: where.map(filterOf), ...named } as PlanMeasure;
    }
    case 'combined':
      return {
        fn: measure.fn,
        of: [measure.left, measure.right].map(measureOf),
        ...(measure.percent && { percent: true }),
        ...named,
      };
    case 'scaled':
      return { fn: measure.divides ? 'quotient' : 'product', of: measureOf(measure.of), by: measure.by, ...named };
    case 'rounded':
      return { fn: 'round', of: measureOf(measure.of), digits: measure.digits, ...named };
    case 'filled':
      return { fn: 'or_zero', of: measureOf(measure.of), ...named };
    case 'windowed':
      return { ...windowedOf(measure), ...named } as PlanMeasure;
    case 'change':
      return {
        fn: 'change',
        of: measureOf(measure.of),
        ...(measure.fn === 'percent' && { percent: true }),
        ...{ from: windowOf(measure.earlier), to: windowOf(measure.later) },
        ...named,
      };
    case 'averaged':
      return { ...averagedOf(measure), ...named } as PlanMeasure;
    case 'part': {
      const { of, where, percent } = measure;
      return { fn: 'share', of: measureOf(of), where: where.map(filterOf), ...(percent && { percent }), ...named };
    }
  }
}
function planValueOf(value: RowValue): PlanValue {
  switch (value.kind) {
    case 'field':
      return value.or === undefined ? nameOf(value.field) : { field: nameOf(value.field), or: value.or };
    case 'number':
      return value.value;
    case 'items':
      return { items: nameOf(value.field), separator: value.separator };
    case 'elapsed':
      return { from: nameOf(value.from), to: nameOf(value.to), in: value.unit };
    case 'computed':
      return { op: value.operator, of: [planValueOf(value.left), planValueOf(value.right)] };
  }
}
const withoutName = ({ as: _as, ...rest }: Measure): Measure => rest as Measure;
/** The name is already an output column. */
const unnamedMeasure = (measure: Measure): PlanMeasure => measureOf(withoutName(measure));

function windowedOf({ fn, of, percent, within, direction, dense }: Windowed): PlanObject {
  const inner = measureOf(of);
  const among = within && { within: within.map(dimensionOf) };
  switch (fn) {
    case 'change':
    case 'percent_change':
      return { fn: 'change', of: inner, ...(fn === 'percent_change' && { percent: true }) };
    case 'rank':
      return { fn, of: inner, direction: direction ?? 'desc', ...(dense && { dense }), ...among };
    case 'share_of_total':
      return { fn, of: inner, ...(percent && { percent }), ...among };
    case 'running_total':
      return within ? notExpressible() : { fn, of: inner };
    default:
      return { fn, of: inner, ...among };
  }
}

function averagedOf({ fn = 'avg', of, over, having, every, periods }: Averaged): PlanObject {
  const by = over.flatMap(({ field, ...rest }) => (field === undefined ? [] : [dimensionOf({ ...rest, field })]));
  const per = over.flatMap(({ field, path }) => (field === undefined ? [path] : []));
  const groups = {
    ...(by.length > 0 && { by }),
    ...(per.length > 0 && { per }),
    ...(having?.length && { having: having.map(havingOf) }),
    ...(every !== undefined && { every }),
    ...(periods && { every: nameOf(periods) }),
  };
  return fn === 'count'
    ? { fn: 'count_groups', ...groups }
    : { fn: 'over_groups', take: fn, of: measureOf(of), ...groups };
}

function filterOf(filter: Filter): PlanFilter {
  switch (filter.kind) {
    case 'condition':
      return conditionOf(filter);
    case 'any':
      return { any: filter.of.map(filterOf) };
    case 'all':
      return { all: filter.of.map(filterOf) };
    case 'not':
      return { not: filterOf(filter.of) };
    case 'exists':
      return existsOf(filter);
  }
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
  const { fn, path, where, per } = than;
  const of = than.field ?? notExpressible();
  return {
    ...{ field, op, values: [] },
    than: {
      fn,
      field: nameOf({ path, field: of }),
      ...(where?.length && { where: where.map(filterOf) }),
      ...(per?.length && { per: per.map(nameOf) }),
    },
  };
}

function existsOf({ path, negated, via, where, count, total, sharing }: Exists): PlanFilter {
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
