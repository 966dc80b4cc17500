// Compiles measures over some of the rows: with filters, and in comparisons with the same measure over other rows.
import { ratio } from '../../dialects/compiling.ts';
import { callOf, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import type { Change, Filter, Measure } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { compute, percent as percentage, percentOf } from './measure.ts';
import { hasInnerFilter } from './measured-rows.ts';
import type { Groups, Leaf, Output, ReadLeaf } from './output.ts';

function restrictOutput(output: Output, tag: string, limits: Pick<Leaf, 'within' | 'where'>) {
  const leaves = new Map(
    output.leaves.map((leaf): [string, Leaf] => {
      const where = [...(leaf.where ?? []), ...(limits.where ?? [])];
      const restriction = { ...(limits.within && { within: limits.within }), ...(where.length > 0 && { where }) };
      return [
        leaf.key,
        { ...leaf, ...restriction, key: `${leaf.key} ${JSON.stringify(limits)}`, name: `${leaf.name}_${tag}` },
      ];
    }),
  );
  return {
    leaves: [...leaves.values()],
    value: (readLeaf: ReadLeaf, frame: Parameters<Output['value']>[1]) =>
      output.value((leaf) => readLeaf(leaves.get(leaf.key)!), frame),
  };
}
const orZero =
  (readLeaf: ReadLeaf): ReadLeaf =>
  (leaf) =>
    callOf('coalesce', [readLeaf(leaf), numberOf(0)]);

export function restrictedOutput(
  compilation: Compilation,
  output: Output | null,
  where: Filter[],
  { dimensions }: Groups,
): Output | null {
  if (!output) return null;
  const { leaves, value } = restrictOutput(output, 'where', { where });
  // A separate SELECT returns only groups with matching rows. The SELECT over all rows returns the other groups.
  const groupable = dimensions.length > 0 ? leaves.filter((leaf) => !hasInnerFilter(leaf) && !leaf.over) : [];
  const rows = groupable.flatMap(({ home }) => {
    const rowCount = compute(compilation, { fn: 'count', rows: home });
    return rowCount?.leaves ?? [];
  });
  return {
    ...output,
    name: `${output.name}_where`,
    source: `${output.source} where`,
    leaves: [...leaves, ...rows],
    value,
  };
}

export function changeOf(compilation: Compilation, measure: Change, innerOutput: Output | null): Output | null {
  if (!innerOutput) return null;
  if (innerOutput.datatype === 'string') {
    compilation.fault(
      `change needs a number; ${innerOutput.name} is a text. Count the values instead.`,
      innerOutput.name,
    );
    return null;
  }
  const earlierOutput = restrictOutput(innerOutput, 'before', { within: measure.from });
  const laterOutput = restrictOutput(innerOutput, 'after', { within: measure.to });
  const { percent } = measure;
  return {
    name: `${innerOutput.name}_${percent ? 'percent_change' : 'change'}`,
    datatype: percent ? 'decimal' : innerOutput.datatype,
    unit: percent ? '%' : innerOutput.unit,
    source: `${percent ? 'percent change' : 'change'} of ${innerOutput.source}`,
    additive: !percent && innerOutput.additive,
    leaves: [...earlierOutput.leaves, ...laterOutput.leaves],
    windowed: innerOutput.windowed,
    value: (leaf, frame) => {
      // A group without rows in one of the periods has a sum of zero there.
      const readValue = innerOutput.additive && (frame.time !== null || frame.others.length > 0) ? orZero(leaf) : leaf;
      const [before, after] = [earlierOutput.value(readValue, frame), laterOutput.value(readValue, frame)];
      const difference = computed(after, '-', before);
      return percent ? percentOf(compilation, difference, before) : difference;
    },
  };
}

export function shareOf(
  compilation: Compilation,
  measure: Extract<Measure, { fn: 'share' }>,
  innerOutput: Output | null,
): Output | null {
  if (!innerOutput) return null;
  if (!innerOutput.additive && !innerOutput.leaves.every(({ count }) => count)) {
    compilation.fault(`${innerOutput.name} is an average or a ratio, so it has no share.`, innerOutput.name);
    return null;
  }
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
      const share = ratio(compilation.dialect, part.value(orZero(leaf), frame), innerOutput.value(leaf, frame));
      return measure.percent ? percentage(share) : share;
    },
  };
}
