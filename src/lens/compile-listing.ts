// A listing: the dimensions of each row of the home, or each combination once.

import { homeOfListing } from './choose-home.ts';
import type { Compilation, CompiledColumn, QueryText } from './compilation.ts';
import { type Dimension, dimensionsOf, noneMasked, pathsOf, sameRef } from './dimension.ts';
import { fieldSql } from './field-sql.ts';
import { filterPaths, relatedRows, restriction, timeSql } from './filter-sql.ts';
import type { Grouping, Intent, Order } from './intent.ts';
import { outputOf } from './measure-output.ts';
import { RowScope } from './row-scope.ts';
import { indent, sqlName } from './sql-name.ts';

export function compileListing(compilation: Compilation, intent: Intent, limit: string): QueryText {
  const nothing: QueryText = { sql: '', columns: [], ordered: false };
  const dimensions = dimensionsOf(compilation, intent.dimensions, []);
  compilation.settle();
  const ordering = intent.order.flatMap(({ by }) => (by.kind === 'field' ? [by.field.path] : []));
  const restricting = [...filterPaths(intent.filters), ...(intent.time ? [intent.time.field.path] : [])];
  const home = homeOfListing(
    compilation,
    intent.home,
    [...intent.dimensions.flatMap(pathsOf), ...ordering],
    restricting,
    intent.distinct,
  );
  if (!home) return nothing;
  const scope = new RowScope(compilation, home);
  const { dialect } = compilation.lens;
  const named = dimensions.map((dimension) => {
    const sql = dimension.sql(scope);
    const name = sqlName(dialect, dimension.name);
    return { dimension, sql, name, item: sql.endsWith(`.${name}`) || sql === name ? sql : `${sql} as ${name}` };
  });
  if (intent.distinct && named.every(({ dimension }) => dimension.masked))
    compilation.fault('A distinct listing needs a field that is not masked.', 'dimensions', 'masked');
  const order = orderBy(compilation, scope, intent, named);
  const filtered = [
    ...(intent.time ? timeSql(compilation, scope, intent.time) : []),
    ...intent.filters.flatMap((filter) => restriction(compilation, scope, filter) ?? []),
  ];
  const where = [...filtered, ...scope.required];
  const columns: CompiledColumn[] = dimensions.map(({ name, datatype, unit, source }) => ({
    name,
    datatype,
    unit,
    source,
  }));
  const per = intent.perGroup;
  if (per && !intent.distinct) {
    const groups = per.dimensions.map((ref) => groupOf(compilation, scope, ref, named));
    compilation.settle();
    const place = `row_number() over (partition by ${groups.map(({ sql }) => sql).join(', ')} order by ${order.join(', ')})`;
    const unseen = groups.flatMap(({ sql, name }, index) => (name ? [] : [`${sql} as group_${index + 1}`]));
    const inner = select(
      [...named.map(({ item }) => item), ...unseen, `${place} as place_in_group`],
      scope,
      where,
      false,
    );
    const final = [
      ...groups.map(({ name }, index) => compilation.sql.nullsLast(name ?? `group_${index + 1}`, 'asc')),
      'place_in_group',
    ];
    const sql = `with placed as (\n${indent(inner)}\n)\nselect ${named.map(({ name }) => name).join(', ')}\nfrom placed\nwhere place_in_group <= ${compilation.literal(per.limit, 'integer')}\norder by ${final.join(', ')}\nlimit ${limit}`;
    return { sql, columns, ordered: true };
  }
  compilation.settle();
  const body = select(
    named.map(({ item }) => item),
    scope,
    where,
    intent.distinct,
  );
  return {
    sql: `${body}${order.length > 0 ? `\norder by ${order.join(', ')}` : ''}\nlimit ${limit}`,
    columns,
    ordered: order.length > 0,
  };
}

const select = (items: string[], scope: RowScope, where: string[], distinct: boolean): string =>
  `select${distinct ? ' distinct' : ''}\n${indent(items.join(',\n'))}\n${scope.from()}${where.length > 0 ? `\nwhere ${where.join('\n  and ')}` : ''}`;

/** A field that each of its values has a first few rows of; it need not be shown. */
function groupOf(compilation: Compilation, scope: RowScope, ref: Grouping, named: Named) {
  const shown = named.find(({ dimension }) => sameRef(dimension.ref, ref));
  const [own] = shown ? [shown.dimension] : dimensionsOf(compilation, [ref], []);
  if (own) noneMasked(compilation, [own]);
  return { sql: shown?.sql ?? own?.sql(scope) ?? '', name: shown?.name ?? null };
}

type Named = { dimension: Dimension; sql: string; name: string }[];

/** As asked, ties by the key; else a time column first, then the columns from left to right and the key. */
function orderBy(compilation: Compilation, scope: RowScope, intent: Intent, named: Named): string[] {
  const { nullsLast } = compilation.sql;
  const asked = intent.order.flatMap((order) => {
    const sql = orderSql(compilation, scope, intent, order, named);
    return sql ? [{ sql, direction: order.direction }] : [];
  });
  const key = intent.distinct ? [] : scope.key(scope.home, scope.home.dataset.primaryKey);
  const shown = asked.length > 0 && key.length > 0 ? [] : named.filter(({ dimension }) => !dimension.masked);
  const rest = [
    ...shown.filter(({ dimension }) => dimension.timeGrain),
    ...shown.filter(({ dimension }) => !dimension.timeGrain),
  ].filter(({ sql }) => !asked.some((one) => one.sql === sql));
  const terms = [
    ...asked.map(({ sql, direction }) => nullsLast(sql, direction)),
    ...rest.map(({ sql }) => nullsLast(sql, 'asc')),
    ...key.filter((sql) => ![...asked, ...rest].some((one) => one.sql === sql)),
  ];
  return [...new Set(terms)];
}

function orderSql(
  compilation: Compilation,
  scope: RowScope,
  intent: Intent,
  { by }: Order,
  named: Named,
): string | null {
  if (by.kind === 'measure') {
    compilation.fault('A listing has no metric to order by; add one or order by a field.', 'order_by');
    return null;
  }
  if (by.kind === 'field') {
    const shown = named.find(({ dimension }) => sameRef(dimension.ref, by.field));
    if (!shown && intent.distinct)
      compilation.fault('A distinct listing can be ordered by its own columns only.', 'order_by');
    if (shown?.dimension.masked || compilation.field(by.field)?.field.masked) {
      compilation.fault(
        `${by.field.path}.${by.field.field} is masked: nothing can be ordered by it.`,
        'order_by',
        'masked',
      );
      return null;
    }
    return shown?.sql ?? fieldSql(compilation, scope, by.field);
  }
  if (intent.distinct) {
    compilation.fault('A distinct listing can be ordered by its own columns only.', 'order_by');
    return null;
  }
  const computed = outputOf(compilation, by.measure, { dimensions: [], time: false });
  if (!computed) return null;
  const homes = new Set(computed.leaves.map(({ home, filter }) => `${home} ${filter ?? ''}`));
  if (
    homes.size > 1 ||
    computed.windowed ||
    computed.leaves.some(({ where, within, over }) => where || within || over)
  ) {
    compilation.fault(
      `${computed.name} is made of several datasets or of groups; a listing can't be ordered by it.`,
      'order_by',
    );
    return null;
  }
  const related = relatedRows(compilation, scope, computed.leaves[0]!.home);
  if (!related) return null;
  const sql = computed.sql((leaf) => leaf.sql(related.inner) ?? 'null', { time: null, others: [], at: () => [] });
  const filter = computed.leaves[0]!.filter;
  return `(\n${indent(`select ${sql}\n${related.inner.from()}\nwhere ${[...related.on, ...(filter ? [`(${filter})`] : [])].join(' and ')}`)}\n)`;
}
