// Measures over groups. One home and filter: one SELECT. Several: each is grouped on its own, before they meet.
import type { Compilation, CompiledColumn, QueryText } from './compilation.ts';
import { type Dimension, dimensionsOf, noneMasked, sameRef } from './dimension.ts';
import type { Averaged, Filter, Grouping, Intent, TimeWindow } from './intent.ts';
import { datasetOfPath } from './join-paths.ts';
import { type Condition, conditionsOf, orderingOf } from './measure-order.ts';
import { outputOf } from './measure-output.ts';
import { type Part, partsOf, rowsOf } from './measured-rows.ts';
import type { Frame, Groups, Leaf, Output } from './output.ts';
import { indent, sqlName } from './sql-name.ts';

/** `limit` null: a subquery, neither ordered nor cut, whose keys show as group_key_1, … */
export function compileMeasures(compilation: Compilation, intent: Intent, limit: string | null): QueryText {
  const given = dimensionsOf(compilation, intent.dimensions, []);
  const groups: Groups = { dimensions: intent.dimensions, time: given.some(({ timeGrain }) => timeGrain) };
  const outputs = uniqueNames(intent.measures.flatMap((measure) => outputOf(compilation, measure, groups) ?? []));
  const dimensions = dimensionsOf(
    compilation,
    intent.dimensions,
    outputs.map(({ name }) => name),
  );
  noneMasked(compilation, dimensions);
  const having = conditionsOf(compilation, intent.having, groups);
  const hidden = intent.order.flatMap(({ by }) =>
    by.kind === 'expression' ? (outputOf(compilation, by.measure, groups) ?? []) : [],
  );
  compilation.settle();
  const leaves = [...outputs, ...having, ...hidden].flatMap((one) => one.leaves);
  const parts = partsOf(compilation, intent, leaves);
  compilation.settle();
  const columns: CompiledColumn[] = [...dimensions, ...outputs].map(({ name, datatype, unit, source }) => ({
    name,
    datatype,
    unit,
    source,
  }));
  const quote = (name: string): string => sqlName(compilation.lens.dialect, name);
  const shape: Shape = { compilation, intent, dimensions, outputs, having, hidden, limit, quote };
  const windows = [...outputs, ...having, ...hidden].some(({ windowed }) => windowed);
  const simple = parts.length === 1 && !windows && !intent.perGroup && !parts[0]!.leaves[0]!.over;
  return { sql: simple ? oneSelect(shape, parts[0]!) : staged(shape, parts), columns, ordered: dimensions.length > 0 };
}

interface Shape {
  compilation: Compilation;
  intent: Intent;
  dimensions: Dimension[];
  outputs: Output[];
  having: Condition[];
  hidden: Output[];
  limit: string | null;
  quote: (name: string) => string;
}

const NO_FRAME: Frame = { time: null, others: [], at: () => [] };
const lines = (...all: string[]): string => all.filter((line) => line !== '').join('\n');
const whereOf = (list: string[], word = 'where'): string => (list.length > 0 ? `${word} ${list.join('\n  and ')}` : '');
const ordered = (order: string[], limit: string | null): string =>
  limit === null || order.length === 0 ? '' : `order by ${order.join(', ')}\nlimit ${limit}`;

function oneSelect(shape: Shape, part: Part): string {
  const { compilation, intent, dimensions, outputs, having, limit, quote } = shape;
  const { scope, leafSql, where, keys, dimensionSql } = rowsOf(compilation, intent, part, dimensions);
  const of = (leaf: Leaf): string => leafSql.get(leaf.key)!;
  const frame = { ...NO_FRAME, others: dimensionSql };
  const shownKeys = limit === null ? keys.map((key, index) => `${key} as group_key_${index + 1}`) : [];
  const items = [
    ...dimensionSql.map((sql, index) => named(sql, quote(dimensions[index]!.name))),
    ...shownKeys,
    ...outputs.map((output) => named(output.sql(of, frame), quote(output.name))),
  ];
  const grouping = [...dimensions.map((_one, index) => String(index + 1)), ...keys];
  const conditions = having.map((one) => one.sql(of, frame));
  const order =
    grouping.length > 0
      ? orderingOf(
          shape,
          (output) =>
            compilation.sql.ordersByAlias && outputs.includes(output) ? quote(output.name) : output.sql(of, frame),
          // A name of the result may be a column of several tables, too.
          (index) => (compilation.sql.ordersByAlias ? quote(dimensions[index]!.name) : dimensionSql[index]!),
          keys,
        )
      : [];
  compilation.settle();
  return lines(
    `select\n${indent(items.join(',\n'))}`,
    scope.from(),
    whereOf(where),
    grouping.length > 0 ? `group by ${grouping.join(', ')}` : '',
    whereOf(conditions, 'having'),
    ordered(order, limit),
  );
}

const named = (sql: string, name: string): string =>
  sql.endsWith(`.${name}`) && /^[\w."]+$/.test(sql) ? sql : `${sql} as ${name}`;

/** Grouped parts as CTEs, joined on the dimensions; then windows, then conditions on groups and places within them. */
function staged(shape: Shape, parts: Part[]): string {
  const { compilation, intent, dimensions, outputs, having, hidden, limit, quote } = shape;
  const bodies = parts.map((part) => (part.leaves[0]!.over ? overGroups(shape, part) : groupedPart(shape, part)));
  const ctes = bodies.map(({ body }, index): [string, string] => [parts[index]!.name, body]);
  const keyNames = Array.from({ length: bodies[0]!.keys }, (_one, index) => `group_key_${index + 1}`);
  const groupNames = [...dimensions.map(({ name }) => quote(name)), ...keyNames];
  const every = parts.find((part) => part.every);
  const spine = every?.name ?? (parts.length === 1 || groupNames.length === 0 ? parts[0]!.name : 'all_groups');
  const joined = parts.filter(({ name }) => name !== spine);
  if (spine === 'all_groups')
    ctes.push([spine, parts.map(({ name }) => `select ${groupNames.join(', ')} from ${name}`).join('\nunion\n')]);
  const same = (name: string): string =>
    groupNames.map((one) => compilation.sql.sameOrBothNull(`${name}.${one}`, `${spine}.${one}`)).join(' and ');
  const from = [
    `from ${spine}`,
    ...joined.map(({ name }) => (groupNames.length > 0 ? `left join ${name} on ${same(name)}` : `cross join ${name}`)),
  ].join(groupNames.length > 0 ? '\n' : ' ');
  const of = (leaf: Leaf): string => {
    const part = parts.find(({ columns }) => columns.has(leaf.key))!;
    const column = `${part.name}.${quote(part.columns.get(leaf.key)!)}`;
    const zero = leaf.count || (every && leaf.additive);
    return zero && part.name !== spine && groupNames.length > 0 ? `coalesce(${column}, 0)` : column;
  };
  const at = (index: number): string => `${spine}.${groupNames[index]}`;
  const frame = frameOf(dimensions, groupNames, at);
  const windows = [...outputs, ...having].some(({ windowed }) => windowed);
  const conditions = having.map((one) => one.sql(of, frame));
  const shown = [...dimensions.map(({ name }) => quote(name)), ...outputs.map(({ name }) => quote(name))];
  const items = [
    ...dimensions.map((_one, index) => at(index)),
    ...outputs.map((output) => named(output.sql(of, frame), quote(output.name))),
  ];
  const withCtes = (list: [string, string][]): string =>
    `with ${list.map(([name, body]) => `${name} as (\n${indent(body)}\n)`).join(',\n')}`;
  const shownKeys = limit === null ? keyNames : [];
  const keyItems = keyNames.map((name, index) => named(at(dimensions.length + index), name));
  if (!intent.perGroup && !(windows && conditions.length > 0)) {
    const order = orderingOf(
      shape,
      (output) =>
        compilation.sql.ordersByAlias && outputs.includes(output) ? quote(output.name) : output.sql(of, frame),
      at,
      keyNames.map((_one, index) => at(dimensions.length + index)),
    );
    const all = [...items, ...(limit === null ? keyItems : [])];
    return lines(
      withCtes(ctes),
      `select\n${indent(all.join(',\n'))}`,
      from,
      whereOf(conditions),
      ordered(order, limit),
    );
  }
  // Windows look at all groups; conditions on groups come after them.
  const extra = [
    ...keyItems,
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
    return lines(
      withCtes(ctes),
      `select ${[...shown, ...shownKeys].join(', ')}\nfrom measured`,
      whereOf(keeps),
      ordered(order, limit),
    );
  const partition = intent.perGroup.dimensions.map((ref) => {
    const index = dimensions.findIndex((one) => sameRef(one.ref, ref));
    if (index < 0) compilation.fault('A top N for each group needs the group among the dimensions.', 'dimensions');
    return index < 0 ? '' : dimensionName(index);
  });
  compilation.settle();
  const place = `row_number() over (partition by ${partition.join(', ')} order by ${order.join(', ')}) as place_in_group`;
  ctes.push(['placed', lines(`select ${shown.join(', ')}, ${place}\nfrom measured`, whereOf(keeps))]);
  const final = [...partition.map((name) => compilation.sql.nullsLast(name, 'asc')), 'place_in_group'];
  return lines(
    withCtes(ctes),
    `select ${shown.join(', ')}\nfrom placed`,
    `where place_in_group <= ${compilation.literal(intent.perGroup.limit, 'integer')}`,
    ordered(final, limit),
  );
}

interface Body {
  body: string;
  keys: number;
}
function groupedPart({ compilation, intent, dimensions, quote }: Shape, part: Part): Body {
  const { scope, leafSql, where, keys, dimensionSql } = rowsOf(compilation, intent, part, dimensions);
  const items = [
    ...dimensionSql.map((sql, index) => named(sql, quote(dimensions[index]!.name))),
    ...keys.map((key, index) => `${key} as group_key_${index + 1}`),
    ...part.leaves.map((leaf) => `${leafSql.get(leaf.key)} as ${quote(part.columns.get(leaf.key)!)}`),
  ];
  const body = lines(
    `select\n${indent(items.join(',\n'))}`,
    scope.from(),
    whereOf(where),
    groupBy(dimensions.length + keys.length),
  );
  return { body, keys: keys.length };
}
const groupBy = (count: number): string =>
  count > 0 ? `group by ${Array.from({ length: count }, (_one, index) => index + 1).join(', ')}` : '';

/** Groups of their own, formed and measured in a subquery; outside, what they come to. */
function overGroups({ compilation, intent, dimensions, quote }: Shape, part: Part): Body {
  const leaf = part.leaves[0]!;
  const { of, over, having = [], every, fn = 'avg' } = leaf.over as Averaged;
  const outer = dimensions.map(({ ref }, index): Grouping => ({ ...ref, as: `dimension_${index + 1}` }));
  const units = over
    .filter(
      (one): one is Grouping => one.field !== undefined && !outer.some((known) => sameRef(known, one as Grouping)),
    )
    .map((one, index) => ({ ...one, as: `unit_${index + 1}` }));
  const things = over.filter(({ field }) => field === undefined).map(({ path }) => path);
  const { groupKeys = [], perGroup: _places, offset: _offset, ...rest } = intent;
  const keys = groupKeys.flatMap((path) => keysOf(compilation, path));
  const thingKeys = things.flatMap((path) => keysOf(compilation, path));
  const inner: Intent = {
    ...rest,
    dimensions: [...outer, ...units],
    groupKeys: [...groupKeys, ...things],
    every,
    measures: [{ ...of, as: 'unit_total' }],
    filters: [...intent.filters, ...part.where, ...(part.within ? withinPeriod(part.within) : [])],
    having,
    order: [],
    limit: null,
  };
  const { sql } = compileMeasures(compilation, inner, null);
  const keyNames = keys.map((_key, index) => `group_key_${index + 1}`);
  const unitNames = [
    ...units.map(({ as }) => as),
    ...thingKeys.map((_key, index) => `group_key_${keys.length + index + 1}`),
  ];
  const value =
    fn === 'count' ? 'count(*)' : fn === 'median' ? compilation.sql.median!('unit_total') : `${fn}(unit_total)`;
  const items = [
    ...outer.map(({ as }, index) => `${as} as ${quote(dimensions[index]!.name)}`),
    ...keyNames,
    `${value} as ${quote(part.columns.get(leaf.key)!)}`,
  ];
  // Rows that belong to no group are no group.
  const body = lines(
    `select\n${indent(items.join(',\n'))}\nfrom (\n${indent(sql)}\n) as totals`,
    whereOf(unitNames.map((name) => `${name} is not null`)),
    groupBy(outer.length + keyNames.length),
  );
  return { body, keys: keys.length };
}
const keysOf = (compilation: Compilation, path: string): string[] =>
  datasetOfPath(compilation.lens, path)?.primaryKey ?? [];
const withinPeriod = ({ field, from, to }: TimeWindow): Filter[] => [
  { kind: 'condition', field, op: '>=', values: [from] },
  { kind: 'condition', field, op: '<', values: [to] },
];

function frameOf(dimensions: Dimension[], groupNames: string[], at: (index: number) => string): Frame {
  const time = dimensions.findIndex(({ timeGrain }) => timeGrain);
  const places = groupNames.map((_one, index) => index).filter((index) => index !== time);
  return {
    time: time < 0 ? null : { sql: at(time), grain: dimensions[time]!.timeGrain! },
    others: places.map(at),
    at: (refs) => refs.map((ref) => at(dimensions.findIndex((one) => sameRef(one.ref, ref)))),
  };
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
