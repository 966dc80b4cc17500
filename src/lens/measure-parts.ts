// Measures that set one measure over some of its rows against the same measure over others: changes and shares.
import type { Compilation } from './compilation.ts';
import type { Measure } from './intent.ts';
import { type Computed, compute, group, type Leaf, percentOf } from './measure.ts';
import type { Output } from './output.ts';

/** The same measure over part of the rows; read by the leaves that `compute` made. */
function restricted(of: Computed, tag: string, to: Pick<Leaf, 'within' | 'where'>) {
  const leaves = new Map(
    of.leaves.map((leaf): [string, Leaf] => [
      leaf.key,
      { ...leaf, ...to, key: `${leaf.key} ${JSON.stringify(to)}`, name: `${leaf.name}_${tag}` },
    ]),
  );
  return {
    leaves: [...leaves.values()],
    sql: (read: (leaf: Leaf) => string): string => group(of.sql((leaf) => read(leaves.get(leaf.key)!))),
  };
}
const zeroed = (read: (leaf: Leaf) => string) => (leaf: Leaf) => `coalesce(${read(leaf)}, 0)`;

export function changeOf(compilation: Compilation, measure: Extract<Measure, { kind: 'change' }>): Output | null {
  const of = compute(compilation, measure.of);
  if (!of) return null;
  const earlier = restricted(of, 'before', { within: measure.earlier });
  const later = restricted(of, 'after', { within: measure.later });
  const percent = measure.fn === 'percent';
  return {
    name: measure.as ?? `${of.name}_${percent ? 'percent_change' : 'change'}`,
    datatype: percent ? 'decimal' : of.datatype,
    unit: percent ? '%' : of.unit,
    source: `${percent ? 'percent change' : 'change'} of ${of.source}`,
    leaves: [...earlier.leaves, ...later.leaves],
    windowed: false,
    sql: (leaf, { time, others }) => {
      // A group without rows in one of the periods had nothing to add up there.
      const read = of.additive && (time !== null || others.length > 0) ? zeroed(leaf) : leaf;
      const [before, after] = [earlier.sql(read), later.sql(read)];
      const difference = `${after} - ${before}`;
      return percent ? percentOf(compilation, difference, before) : difference;
    },
  };
}

export function partOf(compilation: Compilation, measure: Extract<Measure, { kind: 'part' }>): Output | null {
  const of = compute(compilation, measure.of);
  if (!of) return null;
  if (!of.additive && !of.leaves.every(({ count }) => count)) {
    compilation.fault(`${of.name} is an average or a ratio: a part of it is no share.`, of.name);
    return null;
  }
  const part = restricted(of, 'part', { where: measure.where });
  return {
    name: measure.as ?? `${of.name}_${measure.percent ? 'percent' : 'share'}`,
    datatype: 'decimal',
    unit: measure.percent ? '%' : null,
    source: `part of ${of.source}`,
    leaves: [...of.leaves, ...part.leaves],
    windowed: false,
    sql: (leaf) => {
      const share = compilation.sql.ratio(part.sql(zeroed(leaf)), group(of.sql(leaf)));
      return measure.percent ? `100 * ${share}` : share;
    },
  };
}
