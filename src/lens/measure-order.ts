// Order of grouped results, and conditions on groups. Default (CONTRACT 4): time ascending, else the first metric
// descending, then the dimensions; the remaining columns settle ties, so that a result repeats.
import type { Compilation } from './compilation.ts';
import { type Dimension, sameRef } from './dimension.ts';
import type { Having, Intent } from './intent.ts';
import { group } from './measure.ts';
import { outputOf } from './measure-output.ts';
import type { Groups, Output } from './output.ts';

export type Condition = Pick<Output, 'leaves' | 'windowed' | 'sql'>;

export function conditionsOf(compilation: Compilation, having: Having[], groups: Groups): Condition[] {
  return having.flatMap(({ measure, op, values, than }): Condition[] => {
    const left = outputOf(compilation, measure, groups);
    const other = than && outputOf(compilation, than, groups);
    if (!left || (than && !other)) return [];
    const wanted = than ? 0 : op === 'between' ? 2 : 1;
    if (values.length !== wanted || (than && op === 'between')) {
      compilation.fault(
        `${op} on ${left.name} takes ${wanted} value${wanted === 1 ? '' : 's'}; ${values.length} given.`,
        left.name,
      );
      return [];
    }
    const sign = op === '!=' ? '<>' : op;
    const [first, second] = values.map((value) => compilation.literal(value, 'decimal'));
    return [
      {
        leaves: [...left.leaves, ...(other?.leaves ?? [])],
        windowed: left.windowed || (other?.windowed ?? false),
        sql: (of, frame) => {
          const right = other ? group(other.sql(of, frame)) : first;
          return `${group(left.sql(of, frame))} ${op === 'between' ? `between ${first} and ${second}` : `${sign} ${right}`}`;
        },
      },
    ];
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
