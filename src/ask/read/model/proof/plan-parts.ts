// A plan as the parts that a question must say, each with the ways of saying it.
import type { MetricsBody } from '../../../../contract/ask.ts';
import type { PlanMeasure } from '../../../../contract/plan.ts';
import type { Lens } from '../../../../lens/lens.ts';
import { sayDimension, sayFilter, sayHaving, sayRank, sayTime } from './say-condition.ts';
import { homeOfMeasure, sayMeasure, usualDate } from './say-measure.ts';
import { fieldOf } from './say-names.ts';
import { nothing, type Saying } from './sayings.ts';

export type Kind = 'measure' | 'dimension' | 'filter' | 'having' | 'time' | 'rank' | 'other';
export interface Part {
  path: string;
  /** What spans may call it. */
  paths: string[];
  kind: Kind;
  saying: Saying;
  /** What is measured, of a measure and of a condition on groups: who names it there need not name it twice. */
  of?: string;
  /** A group that is a row of what is measured: "revenue per order" may be a ratio. */
  rowOf?: boolean;
}

const part = (kind: Kind, path: string, saying: Saying): Part => ({ path, paths: [path], kind, saying });

export function partsOf(lens: Lens, body: MetricsBody): Part[] {
  const measures: PlanMeasure[] = [...(body.metrics ?? []), ...(body.measures ?? [])];
  const home = new Set(measures.map((measure) => homeOfMeasure(lens, measure)));
  const usual = usualDate(lens, measures);
  const measured = (key: string, list: readonly PlanMeasure[]) =>
    list.map((one, at) => ({ ...part('measure', `${key}[${at}]`, sayMeasure(lens, one)), of: JSON.stringify(one) }));
  return [
    ...measured('metrics', body.metrics ?? []),
    ...measured('measures', body.measures ?? []),
    ...(body.dimensions ?? []).map((one, at) => ({
      ...part('dimension', `dimensions[${at}]`, sayDimension(lens, one, usual)),
      rowOf: typeof one === 'string' && isRowOf(lens, one, home),
    })),
    ...(body.filters ?? []).map((one, at) => part('filter', `filters[${at}]`, sayFilter(lens, one))),
    ...(body.having ?? []).map((one, at) => ({
      ...part('having', `having[${at}]`, sayHaving(lens, one)),
      of: JSON.stringify(one.measure),
    })),
    ...(body.time ? [part('time', 'time', sayTime(lens, body.time, usual))] : []),
    ...ranksOf(lens, body, measures),
    ...(['rows', 'per', 'every', 'limit_per'] as const).flatMap((key) =>
      body[key] ? [part('other', key, nothing)] : [],
    ),
    ...(body.offset ? [part('other', 'offset', nothing)] : []),
    ...(body.distinct ? [part('other', 'distinct', nothing)] : []),
  ];
}

/** "Top 3" is an order and a limit, over one grouping; an order without a limit, or the other way round, is not proven. */
function ranksOf(lens: Lens, body: MetricsBody, measures: readonly PlanMeasure[]): Part[] {
  const [order, ...more] = body.order_by ?? [];
  const over = more.map((_, nth) => part('other', `order_by[${nth + 1}]`, nothing));
  if (!order) return body.limit === undefined ? [] : [part('rank', 'limit', nothing)];
  const ranked = rankedBy(measures, order);
  const one = body.dimensions?.length === 1;
  if (body.limit === undefined || ranked === null || !one) return [part('rank', 'order_by[0]', nothing), ...over];
  const by = measures.length === 1 ? null : sayMeasure(lens, ranked);
  const saying = sayRank(order.direction, body.limit, by);
  return [{ path: 'order_by[0]', paths: ['order_by[0]', 'limit'], kind: 'rank', saying }, ...over];
}

type Order = NonNullable<MetricsBody['order_by']>[number];
function rankedBy(measures: readonly PlanMeasure[], { field, measure }: Order): PlanMeasure | null {
  const called = (one: PlanMeasure) => (typeof one === 'string' ? one : (one.as ?? null));
  if (measure === undefined) return measures.find((one) => called(one) === field) ?? null;
  const wanted = JSON.stringify(measure);
  return field === undefined ? (measures.find((one) => JSON.stringify(one) === wanted) ?? null) : null;
}

function isRowOf(lens: Lens, dimension: string, homes: ReadonlySet<string | null>): boolean {
  const field = fieldOf(lens, dimension);
  return !field || (homes.has(field.dataset.name) && field.dataset.primaryKey.includes(field.field.name));
}
