// What a measure of an intent becomes: one output column, computed from leaves, over groups or over the grouped rows.
import type { Compilation } from './compilation.ts';
import type { Measure } from './intent.ts';
import { compute, group } from './measure.ts';
import { changeOf, partOf } from './measure-parts.ts';
import { windowed } from './measure-windows.ts';
import type { Output } from './output.ts';

export function outputOf(compilation: Compilation, measure: Measure, hasTime: boolean): Output | null {
  if (measure.kind === 'metric' || measure.kind === 'aggregate') {
    const computed = compute(compilation, measure);
    return computed && { ...computed, name: measure.as ?? computed.name, windowed: false };
  }
  if (measure.kind === 'combined') return combined(compilation, measure);
  if (measure.kind === 'change') return changeOf(compilation, measure);
  if (measure.kind === 'part') return partOf(compilation, measure);
  if (measure.kind === 'averaged') {
    compilation.fault('An average over groups stands alone, without conditions on groups.', 'metrics');
    return null;
  }
  return windowed(compilation, measure, hasTime);
}

function combined(compilation: Compilation, measure: Extract<Measure, { kind: 'combined' }>): Output | null {
  const left = compute(compilation, measure.left);
  const right = compute(compilation, measure.right);
  if (!left || !right) return null;
  const ratio = measure.fn === 'ratio';
  return {
    name: measure.as ?? `${left.name}_${ratio ? 'per' : 'minus'}_${right.name}`,
    datatype: ratio ? 'decimal' : left.datatype,
    unit: ratio ? (left.unit === right.unit ? null : left.unit) : left.unit,
    source: `${left.source} ${ratio ? '/' : '-'} ${right.source}`,
    leaves: [...left.leaves, ...right.leaves],
    windowed: false,
    sql: (of) => {
      const [l, r] = [group(left.sql(of)), group(right.sql(of))];
      return ratio ? compilation.sql.ratio(l, r) : `${l} - ${r}`;
    },
  };
}
