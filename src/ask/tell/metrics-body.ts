// A reading as a body for POST /v1/lenses/{name}/metrics, so that somebody can change a filter and ask again. Null where
// that door can't say all of it: a body that means less than the answer would be another question.
import type { MetricsBody } from '../../contract/ask.ts';
import { OPERATORS } from '../../contract/plan.ts';
import type { FieldRef, Intent } from '../../lens/intent.ts';
import { isDayPart } from '../../lens/intent.ts';

export function metricsBodyOf(intent: Intent): MetricsBody | null {
  if (intent.offset || intent.perGroup || intent.groupKeys?.length || intent.grouped || intent.home) return null;
  if ([...intent.dimensions, ...(intent.time ? [intent.time.field] : [])].some(({ grain }) => isDayPart(grain)))
    return null;
  if (intent.every !== undefined || intent.dimensions.some((dimension) => !isPlain(dimension))) return null;
  const metrics = intent.measures.map((measure) => (measure.kind === 'metric' && !measure.as ? measure.name : null));
  const filters = intent.filters.map((filter) => {
    if (filter.kind !== 'condition' || filter.orNull || filter.than || filter.other || filter.caseInsensitive === false)
      return null;
    const op = OPERATORS.find((known) => known === filter.op);
    return op && !filter.field.grain ? { field: written(filter.field), op, values: filter.values } : null;
  });
  const having = intent.having.map(({ measure, op, values }) =>
    measure.kind === 'metric' ? { field: measure.name, op, values } : null,
  );
  const order_by = intent.order.map(({ by, direction }) => {
    if (by.kind === 'field') return { field: written(by.field), direction };
    const measure = by.kind === 'measure' ? intent.measures[by.index] : by.measure;
    return measure?.kind === 'metric' ? { field: measure.name, direction } : null;
  });
  const said = { metrics, filters: [...filters, ...having], order_by };
  if (Object.values(said).some((parts) => parts.includes(null as never))) return null;
  return {
    ...(said as Pick<MetricsBody, 'metrics' | 'filters' | 'order_by'>),
    dimensions: intent.dimensions.map(written),
    ...(intent.time ? { time: { field: written(intent.time.field), from: intent.time.from, to: intent.time.to } } : {}),
    ...(intent.limit === null ? {} : { limit: intent.limit }),
    ...(intent.distinct ? { distinct: true } : {}),
  };
}

/** A field or its period, and nothing that only the wider plan can say. */
const isPlain = (dimension: FieldRef): boolean =>
  Object.entries(dimension).every(([key, value]) => value === undefined || ['path', 'field', 'grain'].includes(key));

const written = ({ path, field, grain }: FieldRef): string => [path, field, grain].filter(Boolean).join('.');
