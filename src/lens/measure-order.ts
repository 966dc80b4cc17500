// Order of grouped results, and conditions on groups. Default (CONTRACT 4): time ascending, else the first metric
// descending, then the dimensions; the remaining columns settle ties, so that a result repeats.
import type { Compilation } from './compilation.ts';
import { type Dimension, sameRef } from './dimension.ts';
import type { Having, Intent } from './intent.ts';
import { type Computed, compute, group, type Leaf } from './measure.ts';
import type { Output } from './output.ts';

export interface Condition {
  leaves: Leaf[];
  sql: (leaf: (leaf: Leaf) => string) => string;
}

export function conditionsOf(compilation: Compilation, having: Having[]): Condition[] {
  return having.flatMap(({ measure, op, values }) => {
    const computed: Computed | null = compute(compilation, measure);
    if (!computed) return [];
    const wanted = op === 'between' ? 2 : 1;
    if (values.length !== wanted) {
      compilation.fault(
        `${op} on ${computed.name} takes ${wanted} value${wanted === 1 ? '' : 's'}; ${values.length} given.`,
        computed.name,
      );
      return [];
    }
    const [first, second] = values.map((value) => compilation.literal(value, 'decimal'));
    const right = op === 'between' ? `between ${first} and ${second}` : `${op === '!=' ? '<>' : op} ${first}`;
    return [{ leaves: computed.leaves, sql: (of) => `${group(computed.sql(of))} ${right}` }];
  });
}

interface Ordered {
  compilation: Compilation;
  intent: Intent;
  dimensions: Dimension[];
  outputs: Output[];
  hidden: Output[];
}

export function orderingOf(
  { compilation, intent, dimensions, outputs, hidden }: Ordered,
  output: (of: Output) => string,
  dimension: (index: number) => string,
  keys: string[],
  rankFirst = false,
): string[] {
  const { nullsLast } = compilation.sql;
  const terms: { sql: string; direction: 'asc' | 'desc' }[] = [];
  let expressions = 0;
  for (const { by, direction } of intent.order) {
    if (by.kind === 'expression') {
      const measure = hidden[expressions++];
      if (measure) terms.push({ sql: output(measure), direction });
    } else if (by.kind === 'measure') {
      const measure = outputs[by.index];
      if (measure) terms.push({ sql: output(measure), direction });
      else compilation.fault('order_by names a metric that is not in the result.', 'order_by');
    } else {
      const index = dimensions.findIndex(({ ref }) => sameRef(ref, by.field));
      if (index >= 0) terms.push({ sql: dimension(index), direction });
      else
        compilation.fault(
          `${by.field.path}.${by.field.field} is not among the dimensions, so the groups can't be ordered by it.`,
          'order_by',
        );
    }
  }
  const time = dimensions.findIndex(({ timeGrain }) => timeGrain);
  if (terms.length === 0) {
    if (time >= 0 && !rankFirst) terms.push({ sql: dimension(time), direction: 'asc' });
    else if (outputs[0]) terms.push({ sql: output(outputs[0]), direction: 'desc' });
  }
  // What was asked for is settled by the key first: it says more than a name.
  if (intent.order.length > 0) for (const key of keys) terms.push({ sql: key, direction: 'asc' });
  dimensions.forEach((_one, index) => void terms.push({ sql: dimension(index), direction: 'asc' }));
  for (const key of keys) terms.push({ sql: key, direction: 'asc' });
  const first = terms.filter((term, index) => terms.findIndex(({ sql }) => sql === term.sql) === index);
  if (dimensions.length === 0 && keys.length === 0) return [];
  return first.map(({ sql, direction }) => nullsLast(sql, direction));
}
