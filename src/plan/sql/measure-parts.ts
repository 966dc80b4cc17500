// Measures over some of the rows: filtered, and compared with the same measure over others.
import { ratio } from '../../dialects/compiling.ts';
import { callOf, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import type { Change, Filter, Measure } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { compute, percent as percentage, percentOf } from './measure.ts';
import { hasInnerFilter } from './measured-rows.ts';
import type { Groups, Leaf, Output, ReadLeaf } from './output.ts';

/** The same measure over some of the rows, evaluated by its leaves. */
function restricted(of: Output, tag: string, to: Pick<Leaf, 'within' | 'where'>) {
  const leaves = new Map(
    of.leaves.map((leaf): [string, Leaf] => {
      const where = [...(leaf.where ?? []), ...(to.where ?? [])];
      const own = { ...(to.within && { within: to.within }), ...(where.length > 0 && { where }) };
      return [leaf.key, { ...leaf, ...own, key: `${leaf.key} ${JSON.stringify(to)}`, name: `${leaf.name}_${tag}` }];
    }),
  );
  return {
    leaves: [...leaves.values()],
    value: (read: ReadLeaf, frame: Parameters<Output['value']>[1]) =>
      of.value((leaf) => read(leaves.get(leaf.key)!), frame),
  };
}
const orZero =
  (read: ReadLeaf): ReadLeaf =>
  (leaf) =>
    callOf('coalesce', [read(leaf), numberOf(0)]);

export function restrictedTo(
  compilation: Compilation,
  of: Output | null,
  where: Filter[],
  { dimensions }: Groups,
): Output | null {
  if (!of) return null;
  const { leaves, value } = restricted(of, 'where', { where });
  // A separate SELECT returns only groups with such rows; the others come with the rows themselves.
  const groupable = dimensions.length > 0 ? leaves.filter((leaf) => !hasInnerFilter(leaf) && !leaf.over) : [];
  const rows = groupable.flatMap(({ home }) => {
    const counted = compute(compilation, { fn: 'count', rows: home });
    return counted?.leaves ?? [];
  });
  return { ...of, name: `${of.name}_where`, source: `${of.source} where`, leaves: [...leaves, ...rows], value };
}

export function changeOf(compilation: Compilation, measure: Change, of: Output | null): Output | null {
  if (!of) return null;
  if (of.datatype === 'string') {
    compilation.fault(`change needs a number; ${of.name} is a text. Count the values instead.`, of.name);
    return null;
  }
  const earlier = restricted(of, 'before', { within: measure.from });
  const later = restricted(of, 'after', { within: measure.to });
  const { percent } = measure;
  return {
    name: `${of.name}_${percent ? 'percent_change' : 'change'}`,
    datatype: percent ? 'decimal' : of.datatype,
    unit: percent ? '%' : of.unit,
    source: `${percent ? 'percent change' : 'change'} of ${of.source}`,
    additive: !percent && of.additive,
    leaves: [...earlier.leaves, ...later.leaves],
    windowed: of.windowed,
    value: (leaf, frame) => {
      // A group without rows in one of the periods had a sum of zero there.
      const read = of.additive && (frame.time !== null || frame.others.length > 0) ? orZero(leaf) : leaf;
      const [before, after] = [earlier.value(read, frame), later.value(read, frame)];
      const difference = computed(after, '-', before);
      return percent ? percentOf(compilation, difference, before) : difference;
    },
  };
}

export function shareOf(
  compilation: Compilation,
  measure: Extract<Measure, { fn: 'share' }>,
  of: Output | null,
): Output | null {
  if (!of) return null;
  if (!of.additive && !of.leaves.every(({ count }) => count)) {
    compilation.fault(`${of.name} is an average or a ratio, so it has no share.`, of.name);
    return null;
  }
  const part = restricted(of, 'part', { where: measure.where });
  return {
    name: `${of.name}_${measure.percent ? 'percent' : 'share'}`,
    datatype: 'decimal',
    unit: measure.percent ? '%' : null,
    source: `part of ${of.source}`,
    additive: false,
    leaves: [...of.leaves, ...part.leaves],
    windowed: of.windowed,
    value: (leaf, frame) => {
      const share = ratio(compilation.dialect, part.value(orZero(leaf), frame), of.value(leaf, frame));
      return measure.percent ? percentage(share) : share;
    },
  };
}
