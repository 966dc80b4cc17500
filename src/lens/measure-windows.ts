// Measures over the grouped rows: ranks, shares of the total, running totals, changes against the period before.
import type { Compilation } from './compilation.ts';
import type { Measure } from './intent.ts';
import { compute, group, percentOf } from './measure.ts';
import type { Output } from './output.ts';

export function windowed(
  compilation: Compilation,
  measure: Extract<Measure, { kind: 'windowed' }>,
  hasTime: boolean,
): Output | null {
  const { fn } = measure;
  const of = compute(compilation, measure.of);
  if (!of) return null;
  if (['share_of_total', 'running_total'].includes(fn) && !of.additive) {
    compilation.fault(
      `${fn} of ${of.name} would add up what can't be added (an average, a ratio or a distinct count).`,
      of.name,
    );
    return null;
  }
  if (['running_total', 'change', 'percent_change'].includes(fn) && !hasTime) {
    compilation.fault(`${fn} needs a date among the dimensions, like orders.order_date.month.`, of.name);
    return null;
  }
  const { ratio, nullsLast, previous } = compilation.sql;
  const unit =
    fn === 'percent_change' || measure.percent ? '%' : fn === 'share_of_total' || fn === 'rank' ? null : of.unit;
  return {
    name: measure.as ?? `${of.name}_${measure.percent ? 'percent_of_total' : fn}`,
    datatype: fn === 'rank' ? 'integer' : fn === 'share_of_total' || fn === 'percent_change' ? 'decimal' : of.datatype,
    unit,
    source: `${fn} of ${of.source}`,
    leaves: of.leaves,
    windowed: true,
    sql: (leaf, { time, others }) => {
      const value = group(of.sql(leaf));
      if (fn === 'share_of_total') return `${measure.percent ? '100 * ' : ''}${ratio(value, `sum(${value}) over ()`)}`;
      if (fn === 'rank') return `rank() over (order by ${nullsLast(value, 'desc')})`;
      const partition = others.length > 0 ? `partition by ${others.join(', ')} ` : '';
      const over = `over (${partition}order by ${time!.sql})`;
      if (fn === 'running_total') return `sum(${value}) ${over}`;
      // The row before is the period before only when no period is missing.
      const before = `case when lag(${time!.sql}) ${over} = ${previous(time!.sql, time!.grain)} then lag(${value}) ${over} end`;
      const difference = `${value} - (${before})`;
      return fn === 'change' ? difference : percentOf(compilation, difference, `(${before})`);
    },
  };
}
