// Measures over groups. One home and filter: one SELECT. Several: each is grouped on its own, before they meet.
import type { Compilation, CompiledColumn, QueryText } from './compilation.ts';
import { compileAverage } from './compile-average.ts';
import { type Dimension, dimensionsOf, noneMasked } from './dimension.ts';
import type { Intent } from './intent.ts';
import type { Leaf } from './measure.ts';
import { type Condition, conditionsOf, orderingOf } from './measure-order.ts';
import { outputOf } from './measure-output.ts';
import { neededBy, type Part, partsOf, rowsOf } from './measured-rows.ts';
import type { Output } from './output.ts';
import { indent, sqlName } from './sql-name.ts';

export function compileMeasures(compilation: Compilation, intent: Intent, limit: string): QueryText {
  const { dialect } = compilation.lens;
  const [only] = intent.measures;
  if (only?.kind === 'averaged' && intent.measures.length === 1 && intent.having.length === 0 && !intent.perGroup)
    return compileAverage(compilation, intent, only, limit);
  const given = dimensionsOf(compilation, intent.dimensions, []);
  const outputs = uniqueNames(
    intent.measures.flatMap(
      (measure) =>
        outputOf(
          compilation,
          measure,
          given.some(({ timeGrain }) => timeGrain),
        ) ?? [],
    ),
  );
  const dimensions = dimensionsOf(
    compilation,
    intent.dimensions,
    outputs.map(({ name }) => name),
  );
  noneMasked(compilation, dimensions);
  const having = conditionsOf(compilation, intent.having);
  const hidden = intent.order.flatMap(({ by }) =>
    by.kind === 'expression' ? (outputOf(compilation, by.measure, false) ?? []) : [],
  );
  compilation.settle();
  const parts = partsOf(
    compilation,
    [...outputs, ...having, ...hidden].flatMap(({ leaves }) => leaves),
    neededBy(intent),
  );
  compilation.settle();
  const columns: CompiledColumn[] = [
    ...dimensions.map(({ name, datatype, unit, ref }) => ({
      name,
      datatype,
      unit,
      source: `${ref.path}.${ref.field}`,
    })),
    ...outputs.map(({ name, datatype, unit, source }) => ({ name, datatype, unit, source })),
  ];
  const shape: Shape = {
    compilation,
    intent,
    dimensions,
    outputs,
    having,
    hidden,
    limit,
    quote: (name) => sqlName(dialect, name),
  };
  const simple = parts.length === 1 && !outputs.some(({ windowed }) => windowed) && !intent.perGroup;
  const sql = simple ? oneSelect(shape, parts[0]!) : staged(shape, parts);
  return { sql, columns, ordered: dimensions.length > 0 };
}

interface Shape {
  compilation: Compilation;
  intent: Intent;
  dimensions: Dimension[];
  outputs: Output[];
  having: Condition[];
  hidden: Output[];
  limit: string;
  quote: (name: string) => string;
}

function oneSelect(shape: Shape, part: Part): string {
  const { compilation, intent, dimensions, outputs, having, limit, quote } = shape;
  const { scope, leafSql, where, keys } = rowsOf(compilation, intent, part);
  const of = (leaf: Leaf): string => leafSql.get(leaf.key)!;
  const frame = { time: null, others: [] };
  const dimensionSql = dimensions.map((dimension) => dimension.sql(scope));
  const items = [
    ...dimensionSql.map((sql, index) => named(sql, quote(dimensions[index]!.name))),
    ...outputs.map((output) => named(output.sql(of, frame), quote(output.name))),
  ];
  const grouping = [...dimensions.map((_one, index) => String(index + 1)), ...keys];
  const conditions = having.map((one) => one.sql(of));
  const order =
    grouping.length > 0
      ? orderingOf(
          shape,
          (output) =>
            compilation.sql.ordersByAlias && outputs.includes(output) ? quote(output.name) : output.sql(of, frame),
          (index) => quote(dimensions[index]!.name),
          keys,
        )
      : [];
  compilation.settle();
  return [
    `select\n${indent(items.join(',\n'))}`,
    scope.from(),
    where.length > 0 ? `where ${where.join('\n  and ')}` : '',
    grouping.length > 0 ? `group by ${grouping.join(', ')}` : '',
    conditions.length > 0 ? `having ${conditions.join('\n  and ')}` : '',
    order.length > 0 ? `order by ${order.join(', ')}` : '',
    grouping.length > 0 ? `limit ${limit}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const named = (sql: string, name: string): string =>
  sql.endsWith(`.${name}`) && /^[\w."]+$/.test(sql) ? sql : `${sql} as ${name}`;

/** Grouped parts as CTEs, joined on the dimensions; then windows, then conditions on groups and places within them. */
function staged(shape: Shape, parts: Part[]): string {
  const { compilation, intent, dimensions, outputs, having, hidden, limit, quote } = shape;
  const keyNames: string[] = [];
  const ctes: [string, string][] = parts.map((part) => {
    const { scope, leafSql, where, keys } = rowsOf(compilation, intent, part);
    keys.forEach((_key, index) => {
      keyNames[index] = `group_key_${index + 1}`;
    });
    const items = [
      ...dimensions.map((dimension) => named(dimension.sql(scope), quote(dimension.name))),
      ...keys.map((key, index) => `${key} as ${keyNames[index]}`),
      ...part.leaves.map((leaf) => `${leafSql.get(leaf.key)} as ${quote(leaf.name)}`),
    ];
    const grouped = dimensions.length + keys.length;
    const grouping =
      grouped > 0 ? `\ngroup by ${Array.from({ length: grouped }, (_one, index) => index + 1).join(', ')}` : '';
    return [
      part.name,
      `select\n${indent(items.join(',\n'))}\n${scope.from()}${where.length > 0 ? `\nwhere ${where.join('\n  and ')}` : ''}${grouping}`,
    ];
  });
  const groupNames = [...dimensions.map(({ name }) => quote(name)), ...keyNames];
  const spine = parts.length === 1 || groupNames.length === 0 ? parts[0]!.name : 'all_groups';
  let from = `from ${spine}`;
  if (spine === 'all_groups') {
    ctes.push([spine, parts.map(({ name }) => `select ${groupNames.join(', ')} from ${name}`).join('\nunion\n')]);
    for (const { name } of parts)
      from += `\nleft join ${name} on ${groupNames.map((column) => compilation.sql.sameOrBothNull(`${name}.${column}`, `${spine}.${column}`)).join(' and ')}`;
  } else for (const { name } of parts.slice(1)) from += `\ncross join ${name}`;
  const of = (leaf: Leaf): string => {
    const part = parts.find(({ leaves }) => leaves.some(({ key }) => key === leaf.key))!;
    const column = `${part.name}.${quote(leaf.name)}`;
    return leaf.count && spine === 'all_groups' ? `coalesce(${column}, 0)` : column;
  };
  const at = (index: number): string => `${spine}.${groupNames[index]}`;
  const time = dimensions.findIndex(({ timeGrain }) => timeGrain);
  const frame = {
    time: time < 0 ? null : { sql: at(time), grain: dimensions[time]!.timeGrain! },
    others: groupNames
      .map((_one, index) => index)
      .filter((index) => index !== time)
      .map(at),
  };
  const windows = outputs.some(({ windowed }) => windowed);
  const conditions = having.map((one) => one.sql(of));
  const shown = [...dimensions.map(({ name }) => quote(name)), ...outputs.map(({ name }) => quote(name))];
  const items = [
    ...dimensions.map((_one, index) => at(index)),
    ...outputs.map((output) => named(output.sql(of, frame), quote(output.name))),
  ];
  const whereOf = (list: string[]): string => (list.length > 0 ? `\nwhere ${list.join('\n  and ')}` : '');
  const withCtes = (list: [string, string][]): string =>
    `with ${list.map(([name, body]) => `${name} as (\n${indent(body)}\n)`).join(',\n')}\n`;
  if (!intent.perGroup && !(windows && conditions.length > 0)) {
    const order = orderingOf(
      shape,
      (output) =>
        compilation.sql.ordersByAlias && outputs.includes(output) ? quote(output.name) : output.sql(of, frame),
      at,
      keyNames.map((_one, index) => at(dimensions.length + index)),
    );
    return `${withCtes(ctes)}select\n${indent(items.join(',\n'))}\n${from}${whereOf(conditions)}${order.length > 0 ? `\norder by ${order.join(', ')}\nlimit ${limit}` : ''}`;
  }
  // Windows look at all groups; conditions on groups come after them.
  const extra = [
    ...keyNames.map((name, index) => named(at(dimensions.length + index), name)),
    ...hidden.map((output, index) => `${output.sql(of, frame)} as order_${index + 1}`),
    ...conditions.map((sql, index) => `${sql} as keeps_${index + 1}`),
  ];
  ctes.push(['measured', `select\n${indent([...items, ...extra].join(',\n'))}\n${from}`]);
  const keeps = conditions.map((_one, index) => `keeps_${index + 1}`);
  const outputName = (output: Output): string =>
    outputs.includes(output) ? quote(output.name) : `order_${hidden.indexOf(output) + 1}`;
  const dimensionName = (index: number): string => quote(dimensions[index]!.name);
  const order = orderingOf(shape, outputName, dimensionName, keyNames, intent.perGroup !== undefined);
  if (!intent.perGroup)
    return `${withCtes(ctes)}select ${shown.join(', ')}\nfrom measured${whereOf(keeps)}\norder by ${order.join(', ')}\nlimit ${limit}`;
  const groups = intent.perGroup.dimensions.map((ref) =>
    dimensions.findIndex(
      (one) => one.ref.path === ref.path && one.ref.field === ref.field && one.ref.grain === ref.grain,
    ),
  );
  if (groups.some((index) => index < 0))
    compilation.fault('A top N for each group needs the group among the dimensions.', 'dimensions');
  compilation.settle();
  const partition = groups.map(dimensionName);
  ctes.push([
    'placed',
    `select ${shown.join(', ')}, row_number() over (partition by ${partition.join(', ')} order by ${order.join(', ')}) as place_in_group\nfrom measured${whereOf(keeps)}`,
  ]);
  const final = [...partition.map((name) => compilation.sql.nullsLast(name, 'asc')), 'place_in_group'];
  return `${withCtes(ctes)}select ${shown.join(', ')}\nfrom placed\nwhere place_in_group <= ${compilation.literal(intent.perGroup.limit, 'integer')}\norder by ${final.join(', ')}\nlimit ${limit}`;
}

function uniqueNames(outputs: Output[]): Output[] {
  const seen = new Set<string>();
  return outputs.map((output) => {
    let name = output.name;
    for (let copy = 2; seen.has(name); copy++) name = `${output.name}_${copy}`;
    seen.add(name);
    return name === output.name ? output : { ...output, name };
  });
}
