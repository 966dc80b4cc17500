// An intent on one line, for tests that compare many readings.
import type { FieldRef, Filter, Intent, Measure, TimeWindow } from '../../src/lens/model/intent.ts';

const ref = ({ path, field, grain }: FieldRef): string => `${path}.${field}${grain ? `.${grain}` : ''}`;
const base = (measure: Measure): string =>
  measure.kind === 'metric'
    ? measure.name
    : measure.kind !== 'aggregate'
      ? measured(measure)
      : `${measure.fn}(${measure.path}${measure.field ? `.${measure.field}` : ''})`;
const period = ({ from, to }: TimeWindow): string => `${from}..${to}`;
const measured = (measure: Measure): string => {
  switch (measure.kind) {
    case 'windowed':
      return `${measure.percent ? 'percent_' : ''}${measure.fn}(${base(measure.of)})`;
    case 'combined':
      return `${measure.fn}(${base(measure.left)}, ${base(measure.right)})`;
    case 'change':
      return `${measure.fn}_change(${base(measure.of)}; ${ref(measure.later.field)} ${period(measure.earlier)} to ${period(measure.later)})`;
    case 'part':
      return `${measure.percent ? 'percent' : 'share'}(${base(measure.of)} where ${measure.where.map(filtered).join(' & ')})`;
    case 'averaged':
      return `mean(${base(measure.of)} over ${measure.over.map((one) => (one.field ? ref(one as FieldRef) : one.path)).join(', ')})`;
    case 'scaled':
      return `${base(measure.of)} * ${measure.by}`;
    case 'restricted':
      return `${base(measure.of)} where ${measure.where.map(filtered).join(' & ')}`;
    default:
      return base(measure);
  }
};
const filtered = (filter: Filter): string => {
  if (filter.kind === 'condition')
    return `${ref(filter.field)} ${filter.op}${filter.than ? ` ${base(filter.than)}` : filter.values.length > 0 ? ` ${filter.values.join('|')}` : ''}${filter.orNull ? ' or null' : ''}`;
  if (filter.kind === 'not') return `not(${filtered(filter.of)})`;
  if (filter.kind !== 'exists') return `${filter.kind}(${filter.of.map(filtered).join(' ; ')})`;
  const count = filter.count ? ` ${filter.count.op} ${filter.count.value}` : '';
  return `${filter.negated ? 'no ' : 'some '}${filter.path}${count}${filter.where.length > 0 ? ` (${filter.where.map(filtered).join(' & ')})` : ''}`;
};

export const intentBrief = (intent: Intent): string =>
  [
    intent.measures.map(measured).join(', ') || (intent.grouped ? 'groups' : `list ${intent.home}`),
    intent.dimensions.length > 0 && `by ${intent.dimensions.map(ref).join(', ')}`,
    intent.groupKeys && `key ${intent.groupKeys.join(', ')}`,
    intent.filters.length > 0 && `where ${intent.filters.map(filtered).join(' & ')}`,
    intent.time && `time ${ref(intent.time.field)} ${intent.time.from}..${intent.time.to}`,
    intent.having.length > 0 &&
      `having ${intent.having.map((one) => `${base(one.measure)} ${one.op} ${one.values.join('|')}`).join(' & ')}`,
    intent.order.length > 0 &&
      `order ${intent.order.map(({ by, direction }) => `${by.kind === 'field' ? ref(by.field) : by.kind === 'measure' ? `#${by.index}` : base(by.measure)} ${direction}`).join(', ')}`,
    intent.limit !== null && `limit ${intent.limit}${intent.offset ? ` after ${intent.offset}` : ''}`,
    intent.perGroup && `top ${intent.perGroup.limit} per ${intent.perGroup.dimensions.map(ref).join(', ')}`,
    intent.distinct && 'distinct',
  ]
    .filter(Boolean)
    .join(' | ');
