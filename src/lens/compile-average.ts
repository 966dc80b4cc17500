// The mean over groups: each group's total in an inner SELECT, the average of these totals outside.
import type { Compilation, QueryText } from './compilation.ts';
import { dimensionsOf, fieldSql, noneMasked } from './dimension.ts';
import type { Averaged, Intent } from './intent.ts';
import { compute } from './measure.ts';
import { orderingOf } from './measure-order.ts';
import { neededBy, partsOf, rowsOf } from './measured-rows.ts';
import type { Output } from './output.ts';
import { indent, sqlName } from './sql-name.ts';

export function compileAverage(
  compilation: Compilation,
  intent: Intent,
  measure: Averaged & { as?: string },
  limit: string,
): QueryText {
  const nothing: QueryText = { sql: '', columns: [], ordered: false };
  const { of, over } = measure;
  const computed = compute(compilation, of);
  if (!computed) return nothing;
  const name =
    measure.as ?? `average_${computed.name}_per_${over.grain ?? over.field ?? over.path.replaceAll('.', '_')}`;
  const dimensions = dimensionsOf(compilation, intent.dimensions, [name]);
  const unit = over.field ? { path: over.path, field: over.field, grain: over.grain } : null;
  noneMasked(compilation, [...dimensions, ...(unit ? dimensionsOf(compilation, [unit], []) : [])]);
  compilation.settle();
  const parts = partsOf(compilation, computed.leaves, [...neededBy(intent), over.path]);
  if (parts.length !== 1)
    compilation.fault(`${computed.name} is measured over several things; it can't be averaged over groups.`, name);
  if (intent.order.some(({ by }) => by.kind === 'expression'))
    compilation.fault('An average over groups is ordered by itself or by its dimensions.', 'order_by');
  compilation.settle();

  const { scope, leafSql, where, keys } = rowsOf(compilation, intent, parts[0]!);
  const quote = (text: string): string => sqlName(compilation.lens.dialect, text);
  const joined = unit ? null : scope.at(over.path, over.path);
  if (joined && joined.dataset.primaryKey.length === 0)
    compilation.fault(`${over.path} has no primary key to tell its rows apart.`, over.path);
  compilation.settle();
  const units = unit ? [fieldSql(compilation, scope, unit)] : scope.key(joined!, joined!.dataset.primaryKey);
  const outer = [...dimensions.map((one) => quote(one.name)), ...keys.map((_key, index) => `group_key_${index + 1}`)];
  const items = [
    ...dimensions.map((one) => `${one.sql(scope)} as ${quote(one.name)}`),
    ...keys.map((key, index) => `${key} as group_key_${index + 1}`),
    ...units.map((sql, index) => `${sql} as unit_${index + 1}`),
    `${computed.sql((leaf) => leafSql.get(leaf.key)!)} as unit_total`,
  ];
  // Rows that belong to no group are no group.
  const conditions = [...where, ...units.map((sql) => `${sql} is not null`)];
  const inner = `select\n${indent(items.join(',\n'))}\n${scope.from()}\nwhere ${conditions.join('\n  and ')}\ngroup by ${items
    .slice(0, -1)
    .map((_one, index) => index + 1)
    .join(', ')}`;
  const mean = `avg(unit_total)`;
  const output: Output = {
    name,
    datatype: 'decimal',
    unit: computed.unit,
    source: `average of ${computed.source}`,
    leaves: computed.leaves,
    windowed: false,
    sql: () => mean,
  };
  const order = orderingOf(
    { compilation, intent, dimensions, outputs: [output], hidden: [] },
    () => mean,
    (index) => outer[index]!,
    outer.slice(dimensions.length),
  );
  compilation.settle();
  const shown = [...dimensions.map((one) => quote(one.name)), `${mean} as ${quote(name)}`];
  const grouped =
    outer.length > 0 ? `\ngroup by ${outer.join(', ')}\norder by ${order.join(', ')}\nlimit ${limit}` : '';
  return {
    sql: `with totals as (\n${indent(inner)}\n)\nselect\n${indent(shown.join(',\n'))}\nfrom totals${grouped}`,
    columns: [
      ...dimensions.map((one) => ({
        name: one.name,
        datatype: one.datatype,
        unit: one.unit,
        source: `${one.ref.path}.${one.ref.field}`,
      })),
      { name, datatype: output.datatype, unit: output.unit, source: output.source },
    ],
    ordered: dimensions.length > 0,
  };
}
