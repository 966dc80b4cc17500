// Compiles the order of grouped results, and conditions on groups. The default order is time ascending, otherwise the
// first metric descending, then the dimensions. The remaining columns break ties.
import { nullsLast } from '../../dialects/compiling.ts';
import { between, compare } from '../../dialects/make-nodes.ts';
import { sameTree } from '../../dialects/nodes.ts';
import type { Expression, SortKey } from '../../dialects/tree.ts';
import { type Having, type LensPlan, type Order, placeOf } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { signOf } from './condition-sql.ts';
import { type Dimension, sameRef } from './dimension.ts';
import { outputOf } from './measure-output.ts';
import type { Groups, Output } from './output.ts';

export type Condition = Pick<Output, 'leaves' | 'windowed' | 'value'>;

export function conditionsOf(compilation: Compilation, having: Having[], groups: Groups): Condition[] {
  return having.flatMap(({ measure, op, values, than }): Condition[] => {
    const left = outputOf(compilation, measure, groups);
    const other = than && outputOf(compilation, than, groups);
    if (!left || (than && !other)) return [];
    if ([left, other].some((item) => item?.datatype === 'string')) {
      compilation.fault(`${left.name} is a text. A condition on groups compares numbers: count the values.`, left.name);
      return [];
    }
    const valueCount = than ? 0 : op === 'between' ? 2 : 1;
    if (values.length !== valueCount || (than && op === 'between')) {
      compilation.fault(
        `${op} on ${left.name} takes ${valueCount} value${valueCount === 1 ? '' : 's'}; ${values.length} given.`,
        left.name,
      );
      return [];
    }
    const [first, second] = values.map((value) => compilation.literal(value, 'decimal'));
    return [
      {
        leaves: [...left.leaves, ...(other?.leaves ?? [])],
        windowed: left.windowed || (other?.windowed ?? false),
        value: (readLeaf, frame) => {
          const value = left.value(readLeaf, frame);
          if (op === 'between') return between(value, first!, second!);
          return compare(value, signOf(op), other ? other.value(readLeaf, frame) : first!);
        },
      },
    ];
  });
}

interface OrderingInput {
  compilation: Compilation;
  plan: LensPlan;
  dimensions: Dimension[];
  outputs: Output[];
  hiddenOutputs: Output[];
}

export function orderingOf(
  { compilation, plan, dimensions, outputs, hiddenOutputs }: OrderingInput,
  output: (target: Output) => Expression,
  dimension: (index: number) => Expression,
  keys: Expression[],
  rankFirst = false,
): SortKey[] {
  const terms: { by: Expression; direction: 'asc' | 'desc'; nulls?: Order['nulls'] }[] = [];
  let expressions = 0;
  for (const { field, measure, direction, nulls } of plan.order_by) {
    if (measure) {
      const measureIndex = placeOf(plan.measures, measure);
      const sortOutput = measureIndex < 0 ? hiddenOutputs[expressions++] : outputs[measureIndex];
      if (sortOutput) terms.push({ by: output(sortOutput), direction, nulls });
    } else {
      const index = dimensions.findIndex(({ ref }) => sameRef(ref, field));
      if (index >= 0) terms.push({ by: dimension(index), direction, nulls });
      else
        compilation.fault(
          `${field.path}.${field.field} is not among the dimensions, so the groups can't be ordered by it.`,
          'order_by',
        );
    }
  }
  const time = dimensions.findIndex(({ timeGrain }) => timeGrain);
  if (terms.length === 0) {
    if (time >= 0 && !rankFirst) terms.push({ by: dimension(time), direction: 'asc' });
    else if (outputs[0]) terms.push({ by: output(outputs[0]), direction: 'desc' });
  }
  const includesTies = plan.limit_per?.ties === true;
  // In a requested order, the key breaks ties before the other columns, because a key is more specific than a name.
  if (plan.order_by.length > 0 && !includesTies) for (const key of keys) terms.push({ by: key, direction: 'asc' });
  if (!includesTies) dimensions.forEach((_one, index) => void terms.push({ by: dimension(index), direction: 'asc' }));
  if (!includesTies) for (const key of keys) terms.push({ by: key, direction: 'asc' });
  const first = terms.filter((term, index) => terms.findIndex(({ by }) => sameTree(by, term.by)) === index);
  if (dimensions.length === 0 && keys.length === 0) return [];
  return first.flatMap(({ by, direction, nulls }) => nullsLast(compilation.dialect, by, direction, nulls));
}
