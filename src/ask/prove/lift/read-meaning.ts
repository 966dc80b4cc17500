// Reads the meaning of a SELECT. Throws UnreadablePartError for a part that svc can't read.

import type { Dialect } from '../../../dialects/dialect.ts';
import { columnOf, compare, isNull } from '../../../dialects/make-nodes.ts';
import { listConjuncts } from '../../../dialects/nodes.ts';
import type { Expression, FromItem, Query, Select } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { findAggregateCalls } from '../statement/parts.ts';
import { attachSources } from './attach-sources.ts';
import { ExpressionRenderer } from './expression-renderer.ts';
import { FunctionalDependencies } from './functional-dependencies.ts';
import { type Meaning, writeNestedQuery } from './meaning.ts';
import { rewriteToExists } from './rewrite-to-exists.ts';
import { requireDataset, Scope, type Source, UnreadablePartError } from './scope.ts';

/** `query` must have a unique alias for each table (with-unique-names.ts). */
export function readMeaning(lens: Lens, dialect: Dialect, query: Query, outer: Scope | null = null): Meaning {
  if (query.kind !== 'select') throw new UnreadablePartError(query.kind);
  const { distinct, groupBy, windows } = query;
  if (query.with || windows.length > 0 || query.qualify || (distinct && distinct.on.length > 0))
    throw new UnreadablePartError('select');
  if (groupBy && (groupBy.all || groupBy.distinct)) throw new UnreadablePartError('group by');
  const scope = new Scope(lens, dialect, outer);
  const text = new ExpressionRenderer(scope, (inner, kind) =>
    writeNestedQuery(readMeaning(lens, dialect, inner, scope), kind),
  );
  const dependencies = new FunctionalDependencies(text);
  const select = rewriteToExists(lens, dialect, query, dependencies.keyedDatasets);
  const { mainSource, where } = readRows(scope, text, select);
  // A division by count(*) fails without rows, so a statement that ran had at least one row.
  if (dialect.compiling.faultsByZero && !select.having && select.items.some(({ value }) => hasRowCountDivisor(value)))
    text.groupsHaveRows = true;
  const items = select.items.map(({ value }) => ({ text: text.render(value), value }));
  return {
    ...{ dialect, select, sources: scope.sources, mainSource, where, items, text, dependencies },
    group: readGroup(select, items, text, dependencies),
    having: new Map(text.conjuncts(select.having).map((conjunct) => [conjunct.text, conjunct.value])),
  };
}

function hasRowCountDivisor(expression: Expression): boolean {
  if (expression.kind === 'cast') return hasRowCountDivisor(expression.value);
  if (expression.kind === 'call' && expression.name === 'round') return expression.args.some(hasRowCountDivisor);
  if (expression.kind !== 'arithmetic' || expression.left === null) return false;
  const { operator, left, right } = expression;
  const divisor = right.kind === 'cast' ? right.value : right;
  const isRowCount = divisor.kind === 'call' && divisor.name === 'count' && divisor.star && !divisor.filter;
  return (operator === '/' && isRowCount) || hasRowCountDivisor(left) || hasRowCountDivisor(right);
}

function readRows(scope: Scope, text: ExpressionRenderer, select: Select): Pick<Meaning, 'mainSource' | 'where'> {
  const joinConditions: Expression[] = [];
  for (const item of select.from) addSources(scope, item, joinConditions);
  const { mainSource, remaining } = attachSources(scope, [...listConjuncts(select.where), ...joinConditions]);
  text.groupsHaveRows = select.groupBy !== null && select.groupBy.keys.length > 0;
  const where = new Map(remaining.flatMap((item) => text.conjuncts(item)).map((item) => [item.text, item.value]));
  for (const source of scope.sources) {
    const presenceText = `there(${source.label})`;
    if (source.joinKind !== 'left' && source.steps.length > 0) where.set(presenceText, createPresenceCondition(source));
    if (rejectsNull(where, source)) where.delete(presenceText);
  }
  return { mainSource, where };
}

/** The condition that an inner join adds: the joined row exists. */
const createPresenceCondition = ({ alias, steps }: Source): Expression =>
  isNull(columnOf(alias, steps.at(-1)!.to.columns[0]!), true);

function addSources(
  scope: Scope,
  item: FromItem,
  usingConditions: Expression[],
  joinKind: Source['joinKind'] = 'base',
): void {
  if (item.kind === 'join') {
    if (item.natural || item.alias !== null || item.usingAlias !== null) throw new UnreadablePartError('join');
    if (item.how !== 'inner' && item.how !== 'left' && item.how !== 'cross') throw new UnreadablePartError(item.how);
    addSources(scope, item.left, usingConditions, joinKind);
    if (item.right.kind !== 'table') throw new UnreadablePartError('join');
    const sourcesBefore = [...scope.sources];
    addSources(scope, item.right, usingConditions, item.how === 'left' ? 'left' : 'inner');
    const source = scope.sources.at(-1)!;
    const on = [
      ...listConjuncts(item.on),
      ...item.using.map((name) => requireSharedColumn(sourcesBefore, source, name)),
    ];
    if (source.joinKind === 'left') source.on = on;
    else usingConditions.push(...on);
    return;
  }
  if (item.kind !== 'table' || item.columns.length > 0 || item.catalog !== null) throw new UnreadablePartError('from');
  const dataset = requireDataset(scope.lens, scope.dialect, item.schema, item.name);
  const isFirst = scope.sources.length === 0;
  scope.sources.push({
    ...{ alias: item.alias ?? item.name, dataset, on: [], label: '', steps: [], isPresent: false },
    joinKind: isFirst ? 'base' : joinKind === 'base' ? 'inner' : joinKind,
  });
}

function requireSharedColumn(sourcesBefore: Source[], right: Source, name: string): Expression {
  const [left, second] = sourcesBefore.filter(({ dataset }) => dataset.fields.some((field) => field.name === name));
  if (!left || second) throw new UnreadablePartError('using');
  return compare(columnOf(left.alias, name), '=', columnOf(right.alias, name));
}

/** Whether a condition on the source, or on a source that it leads to, fails if the source's row is missing. */
const rejectsNull = (where: ReadonlyMap<string, Expression>, { label }: Source): boolean =>
  [...where.keys()].some((text) => {
    const columnReference = /^(?:in|like|isnotnull|compare(?=\(\S+ (?:[<>]=?|=|<>) ))\((\S+?)[ )]/.exec(text)?.[1];
    return (
      columnReference !== undefined &&
      (columnReference.startsWith(`${label}.`) || columnReference.startsWith(`${label}/`))
    );
  });

function readGroup(
  select: Select,
  items: Meaning['items'],
  text: ExpressionRenderer,
  dependencies: FunctionalDependencies,
): Meaning['group'] {
  const aggregates = findAggregateCalls(text.scope.dialect, [select.items, select.having, select.orderBy]);
  if (select.distinct) {
    if (select.groupBy || aggregates.length > 0) throw new UnreadablePartError('distinct groups');
    return dependencies.minimalKeys(items.map(({ value }) => value));
  }
  if (!select.groupBy) return aggregates.length > 0 ? new Map() : null;
  const keys = select.groupBy.keys.map((key) => {
    if (key.kind === 'grouping_set') throw new UnreadablePartError('grouping sets');
    return key;
  });
  return dependencies.minimalKeys(keys);
}
