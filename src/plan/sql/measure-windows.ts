// Compiles measures over the grouped rows: ranks, shares of the total, running totals, changes since the previous
// period, and aggregates over all groups.
import { createExactAggregate, createNullSafeDivision, createSortKeys } from '../../dialects/compiling.ts';
import { callOf, caseOf, compare, compute, windowOf } from '../../dialects/make-nodes.ts';
import { formatField, type Grouping, isDayPart, type WindowMeasure } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { isSameGrouping } from './dimension.ts';
import { createPercentChange, toPercent as percentage } from './measure.ts';
import type { GroupedRows, MeasureOutput } from './output.ts';

const isPeriod = ({ grain }: Grouping): boolean => grain !== undefined && !isDayPart(grain);
const ADDITIVE_FUNCTIONS = ['share_of_total', 'running_total', 'groups_sum'];

export function compileWindow(
  compilation: Compilation,
  measure: WindowMeasure,
  innerOutput: MeasureOutput | null,
  groups: GroupedRows,
): MeasureOutput | null {
  if (!innerOutput || !checkWindow(compilation, measure, innerOutput, groups)) return null;
  const { fn } = measure;
  const percent = 'percent' in measure && measure.percent;
  const partitionFields = ('within' in measure && measure.within) || [];
  const { dialect } = compilation;
  const isGrowth = fn === 'change' && percent;
  return {
    name: `${innerOutput.name}_${isGrowth ? 'percent_change' : percent ? 'percent_of_total' : fn}`,
    datatype:
      fn === 'rank'
        ? 'integer'
        : fn === 'share_of_total' || isGrowth || fn === 'groups_avg'
          ? 'decimal'
          : innerOutput.datatype,
    unit: percent ? '%' : fn === 'share_of_total' || fn === 'rank' ? null : innerOutput.unit,
    source: `${isGrowth ? 'percent_change' : fn} of ${innerOutput.source}`,
    additive: false,
    leaves: innerOutput.leaves,
    windowed: true,
    value: (leaf, frame) => {
      const { time, otherValues: others, at } = frame;
      const value = innerOutput.value(leaf, frame);
      const partitionKeys = at(partitionFields);
      if (fn === 'share_of_total') {
        const part = createNullSafeDivision(dialect, value, callOf('sum', [value], { over: windowOf(partitionKeys) }));
        return percent ? percentage(part) : part;
      }
      if (fn === 'rank')
        return callOf(measure.dense ? 'dense_rank' : 'rank', [], {
          over: windowOf(partitionKeys, createSortKeys(dialect, value, measure.direction)),
        });
      if (fn.startsWith('groups_'))
        return {
          ...createExactAggregate(dialect, fn.slice('groups_'.length), value, innerOutput.datatype),
          over: windowOf(partitionKeys),
        };
      // Sorts rows without a date last, so that a running total never includes them.
      const isNullFirst = dialect.nullsSort.unsaid === 'as least';
      const byTime = isNullFirst
        ? createSortKeys(dialect, time!.value, 'asc')
        : [{ value: time!.value, direction: null, nulls: null }];
      const window = windowOf(others, byTime);
      if (fn === 'running_total') return callOf('sum', [value], { over: window });
      // Returns a value only if no period is missing, because the previous row is then the previous period.
      const previous = dialect.compiling.previous(time!.value, time!.grain);
      const isNextPeriod = compare(callOf('lag', [time!.value], { over: window }), '=', previous);
      const previousValue = caseOf(isNextPeriod, callOf('lag', [value], { over: window }));
      const difference = compute(value, '-', previousValue);
      return percent ? createPercentChange(compilation, difference, previousValue) : difference;
    },
  };
}

function checkWindow(
  compilation: Compilation,
  measure: WindowMeasure,
  innerOutput: MeasureOutput,
  groups: GroupedRows,
): boolean {
  const { fn } = measure;
  const addFault = (message: string, code = 'invalid'): false => {
    compilation.addFault(message, fn, code);
    return false;
  };
  if (innerOutput.windowed)
    return addFault(`${innerOutput.name} is already computed over groups, so you can't apply ${fn} to it.`);
  if (innerOutput.datatype === 'string' && fn !== 'rank')
    return addFault(`${fn} needs a number; ${innerOutput.name} is a string. Count the values instead.`);
  if (ADDITIVE_FUNCTIONS.includes(fn) && !innerOutput.additive)
    return addFault(
      `${innerOutput.name} is an average, a ratio or a distinct count, so its ${fn} is not valid.`,
      'not_additive',
    );
  const addedDimensions = fn === 'running_total' ? groups.dimensions.filter(isPeriod) : groups.dimensions;
  if (ADDITIVE_FUNCTIONS.includes(fn) && addedDimensions.some(({ through }) => through))
    return addFault(
      `${fn} of ${innerOutput.name} would sum overlapping groups, because a row can be in several of them.`,
    );
  if (['running_total', 'change'].includes(fn) && !groups.time)
    return addFault(
      `${fn === 'change' && measure.percent ? 'percent_change' : fn} needs a date among the dimensions, like orders.order_date.month.`,
    );
  const partitionFields = ('within' in measure && measure.within) || [];
  const ungroupedField = partitionFields.find(
    (item) => !groups.dimensions.some((dimension) => isSameGrouping(dimension, item)),
  );
  if (ungroupedField)
    return addFault(
      `\`within\` of ${fn} has ${formatField(ungroupedField)}, which is not among the dimensions. Add it to \`dimensions\`.`,
    );
  return true;
}
