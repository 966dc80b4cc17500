// Compiles the order of grouped results, and conditions on groups. The default order is time ascending, otherwise the
// first metric descending (a rank ascending), then the dimensions. For `limit_per`, the default order ignores time. The
// remaining columns break ties. Weekdays start with Monday.
import { isNumeric, isTemporal, WEEKDAYS } from '../../contract/warehouse.ts';
import { createSortKeys } from '../../dialects/compiling.ts';
import { between, compare, nodeOf, numberOf, textOf } from '../../dialects/make-nodes.ts';
import { areTreesEqual } from '../../dialects/nodes.ts';
import type { Expression, SortKey } from '../../dialects/tree.ts';
import { findMeasureIndex, formatField, type Having, isDayPart, type LensPlan, type SortOrder } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { createEmptyRangeProblem, toComparisonOperator } from './condition-sql.ts';
import { type Dimension, isSameGrouping } from './dimension.ts';
import { areComparedByDay, compileDay } from './field-sql.ts';
import { compileOutput } from './measure-output.ts';
import type { GroupedRows, MeasureOutput } from './output.ts';

export type GroupCondition = Pick<MeasureOutput, 'leaves' | 'windowed' | 'value'>;

export function compileGroupConditions(
  compilation: Compilation,
  having: Having[],
  groups: GroupedRows,
): GroupCondition[] {
  return having.flatMap(({ measure, op, values, than }): GroupCondition[] => {
    const left = compileOutput(compilation, measure, groups);
    const other = than && compileOutput(compilation, than, groups);
    if (!left || (than && !other)) return [];
    const areDates = [left, other].every((item) => item && isTemporal(item.datatype));
    const notNumber = [left, other].find((item) => item && !isNumeric(item.datatype));
    if (notNumber && !areDates) {
      compilation.addFault(
        `${notNumber.name} is a ${notNumber.datatype}, but a condition on groups compares numbers. Count the values instead.`,
        notNumber.name,
      );
      return [];
    }
    if (op === 'between' && values[0]! > values[1]!)
      compilation.addFault(createEmptyRangeProblem(values, 'lower value').message, left.name);
    const [first, second] = values.map((value) => compilation.literal(value, 'decimal'));
    return [
      {
        leaves: [...left.leaves, ...(other?.leaves ?? [])],
        windowed: left.windowed || (other?.windowed ?? false),
        value: (readAggregate, frame) => {
          const value = left.value(readAggregate, frame);
          if (op === 'between') return between(value, first!, second!);
          if (!other) return compare(value, toComparisonOperator(op), first!);
          const otherValue = other.value(readAggregate, frame);
          if (!areComparedByDay(left.datatype, other.datatype))
            return compare(value, toComparisonOperator(op), otherValue);
          const [day, otherDay] = [
            compileDay(compilation, value, left.datatype),
            compileDay(compilation, otherValue, other.datatype),
          ];
          return compare(day, toComparisonOperator(op), otherDay);
        },
      },
    ];
  });
}

interface OrderingInput {
  compilation: Compilation;
  plan: LensPlan;
  dimensions: Dimension[];
  outputs: MeasureOutput[];
  hiddenOutputs: MeasureOutput[];
}

export function compileOrdering(
  { compilation, plan, dimensions, outputs, hiddenOutputs }: OrderingInput,
  outputColumn: (target: MeasureOutput) => Expression,
  dimensionColumn: (index: number) => Expression,
  keys: Expression[],
  rankFirst = false,
): SortKey[] {
  const sortValue = (index: number): Expression =>
    dimensions[index]!.ref.grain === 'weekday' ? createWeekdayNumber(dimensionColumn(index)) : dimensionColumn(index);
  const terms: { by: Expression; direction: 'asc' | 'desc'; nulls?: SortOrder['nulls'] }[] = [];
  let hiddenIndex = 0;
  for (const { field, measure, direction, nulls } of plan.order_by) {
    if (measure) {
      const measureIndex = findMeasureIndex(plan.measures, measure);
      const sortOutput = measureIndex < 0 ? hiddenOutputs[hiddenIndex++] : outputs[measureIndex];
      if (sortOutput) terms.push({ by: outputColumn(sortOutput), direction, nulls });
    } else {
      const index = dimensions.findIndex(({ ref }) => isSameGrouping(ref, field));
      if (index >= 0) terms.push({ by: sortValue(index), direction, nulls });
      else
        compilation.addFault(
          `${formatField(field)} is not among the dimensions, so the groups can't be ordered by it.`,
          'order_by',
        );
    }
  }
  const timeIndex = dimensions.findIndex(
    ({ timeGrain, ref }) => timeGrain || (isDayPart(ref.grain) && plan.limit === null),
  );
  if (terms.length === 0) {
    if (timeIndex >= 0 && !rankFirst) terms.push({ by: sortValue(timeIndex), direction: 'asc' });
    else if (outputs[0])
      terms.push({ by: outputColumn(outputs[0]), direction: plan.measures[0]?.fn === 'rank' ? 'asc' : 'desc' });
  }
  const includesTies = plan.limit_per?.ties === true;
  // In a requested order, the key breaks ties before the other columns, because two groups can have the same name, but
  // not the same key.
  if (plan.order_by.length > 0 && !includesTies) for (const key of keys) terms.push({ by: key, direction: 'asc' });
  if (!includesTies) dimensions.forEach((_one, index) => void terms.push({ by: sortValue(index), direction: 'asc' }));
  if (!includesTies) for (const key of keys) terms.push({ by: key, direction: 'asc' });
  const distinctTerms = terms.filter(
    (term, index) => terms.findIndex(({ by }) => areTreesEqual(by, term.by)) === index,
  );
  if (dimensions.length === 0 && keys.length === 0) return [];
  return distinctTerms.flatMap(({ by, direction, nulls }) => createSortKeys(compilation.dialect, by, direction, nulls));
}

const createWeekdayNumber = (name: Expression): Expression =>
  nodeOf('case', {
    operand: null,
    whens: WEEKDAYS.map((day, index) => ({ when: compare(name, '=', textOf(day)), result: numberOf(index + 1) })),
    otherwise: null,
  });
