// Compiles measures over only some of the rows: measures with filters, and comparisons with the same measure over other
// rows.
import { createNullSafeDivision } from '../../dialects/compiling.ts';
import { callOf, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import type { ChangeMeasure, Filter, Measure } from '../lens-plan.ts';
import { formatPeriodName } from '../period-name.ts';
import type { Compilation } from './compilation.ts';
import { compileBaseMeasure, createPercentChange, toPercent as percentage } from './measure.ts';
import { canFilterInAggregate } from './measured-rows.ts';
import type { AggregateReader, BaseAggregate, GroupedRows, MeasureOutput } from './output.ts';

function restrictOutput(output: MeasureOutput, tag: string, limits: Pick<BaseAggregate, 'within' | 'where'>) {
  const baseAggregates = new Map(
    output.leaves.map((leaf): [string, BaseAggregate] => {
      const where = [...(leaf.where ?? []), ...(limits.where ?? [])];
      const restriction = { ...(limits.within && { within: limits.within }), ...(where.length > 0 && { where }) };
      return [
        leaf.key,
        { ...leaf, ...restriction, key: `${leaf.key} ${JSON.stringify(limits)}`, name: `${leaf.name}_${tag}` },
      ];
    }),
  );
  return {
    leaves: [...baseAggregates.values()],
    value: (readAggregate: AggregateReader, frame: Parameters<MeasureOutput['value']>[1]) =>
      output.value((leaf) => readAggregate(baseAggregates.get(leaf.key)!), frame),
  };
}
const replaceNullWithZero =
  (readAggregate: AggregateReader): AggregateReader =>
  (leaf) =>
    callOf('coalesce', [readAggregate(leaf), numberOf(0)]);

export function compileRestrictedOutput(
  compilation: Compilation,
  output: MeasureOutput | null,
  where: Filter[],
  { dimensions, per = [] }: GroupedRows,
): MeasureOutput | null {
  if (!output) return null;
  const { leaves, value } = restrictOutput(output, 'where', { where });
  // A separate SELECT returns only groups with matching rows. A count over all rows adds the other groups.
  const isGrouped = dimensions.length + per.length > 0;
  const groupableAggregates = isGrouped ? leaves.filter((leaf) => !canFilterInAggregate(leaf) && !leaf.over) : [];
  const rowCounts = groupableAggregates.flatMap(({ home }) => {
    const rowCount = compileBaseMeasure(compilation, { fn: 'count', rows: home });
    return rowCount?.leaves ?? [];
  });
  return {
    ...output,
    name: `${output.name}_where`,
    source: `${output.source} where`,
    leaves: [...leaves, ...rowCounts],
    value,
  };
}

export function compileChange(
  compilation: Compilation,
  measure: ChangeMeasure,
  innerOutput: MeasureOutput | null,
): MeasureOutput | null {
  if (!innerOutput) return null;
  if (innerOutput.datatype === 'string') {
    compilation.addFault(
      `change needs a number; ${innerOutput.name} is a string. Count the values instead.`,
      innerOutput.name,
    );
    return null;
  }
  const earlierOutput = restrictOutput(innerOutput, 'before', { within: measure.from });
  const laterOutput = restrictOutput(innerOutput, 'after', { within: measure.to });
  const { percent, show } = measure;
  const period = show && formatPeriodName(measure[show]).name;
  return {
    name: `${innerOutput.name}_${period?.replace(/\W+/g, '_').toLowerCase() ?? (percent ? 'percent_change' : 'change')}`,
    datatype: percent ? 'decimal' : innerOutput.datatype,
    unit: percent ? '%' : innerOutput.unit,
    source: period
      ? `${innerOutput.source} in ${period}`
      : `${percent ? 'percent change' : 'change'} of ${innerOutput.source}`,
    additive: !percent && innerOutput.additive,
    leaves: [...earlierOutput.leaves, ...laterOutput.leaves],
    windowed: innerOutput.windowed,
    value: (leaf, frame) => {
      // If a group has no rows in one of the periods, its sum for that period is zero.
      const readValue =
        innerOutput.additive && (frame.time !== null || frame.otherValues.length > 0)
          ? replaceNullWithZero(leaf)
          : leaf;
      const [before, after] = [earlierOutput.value(readValue, frame), laterOutput.value(readValue, frame)];
      if (show) return show === 'from' ? before : after;
      const difference = computed(after, '-', before);
      return percent ? createPercentChange(compilation, difference, before) : difference;
    },
  };
}

export function compileShare(
  compilation: Compilation,
  measure: Extract<Measure, { fn: 'share' }>,
  innerOutput: MeasureOutput | null,
): MeasureOutput | null {
  if (!innerOutput) return null;
  if (!innerOutput.additive && !innerOutput.leaves.every(({ isZeroWhenNull: count }) => count))
    return compilation.addFault(`${innerOutput.name} is an average or a ratio, so it has no share.`, innerOutput.name);
  const part = restrictOutput(innerOutput, 'part', { where: measure.where });
  return {
    name: `${innerOutput.name}_${measure.percent ? 'percent' : 'share'}`,
    datatype: 'decimal',
    unit: measure.percent ? '%' : null,
    source: `part of ${innerOutput.source}`,
    additive: false,
    leaves: [...innerOutput.leaves, ...part.leaves],
    windowed: innerOutput.windowed,
    value: (leaf, frame) => {
      const share = createNullSafeDivision(
        compilation.dialect,
        part.value(replaceNullWithZero(leaf), frame),
        innerOutput.value(leaf, frame),
      );
      return measure.percent ? percentage(share) : share;
    },
  };
}
