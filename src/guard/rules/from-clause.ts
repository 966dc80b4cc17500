// Checks tables, subqueries, functions and joins in FROM, and adds their columns to the scope.
import type { DerivedTable, FromItem, Join, Table, TableCall } from '../../dialects/tree.ts';
import { resolveCommonTable } from './common-tables.ts';
import { createSource, type OutputColumn, renameColumns, type ScopeSource } from './name-scope.ts';
import { resolveTable } from './resolve-table.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import { createNestedQueryContext, type ExpressionContext, isTooDeep, type StatementWalk } from './statement-walk.ts';
import { recordJoinColumns } from './unnamed-columns.ts';
import { isExpressionText } from './use-column.ts';

type ItemReplacer = (replacement: DerivedTable) => void;

export function walkFromItem(
  walk: StatementWalk,
  item: FromItem,
  context: ExpressionContext,
  replaceItem: ItemReplacer,
): ScopeSource[] {
  const { analysis } = walk;
  if (isTooDeep(analysis, context.depth)) return [];
  for (const name of [item.alias ?? '', ...item.columns]) analysis.checkIdentifier(name);
  switch (item.kind) {
    case 'table': {
      const source = walkTable(walk, item, context, replaceItem);
      return source ? addSource(analysis, source, item.columns, context) : [];
    }
    case 'derived': {
      const rules = analysis.dialect.names;
      const parent = rules.lateral === 'always' || item.lateral ? context.scope : context.scope.parent;
      const readsBefore = analysis.size.reads;
      const columns = walk.query(item.query, createNestedQueryContext(context, parent));
      analysis.size.addDerivedTable(readsBefore);
      const alias = item.alias ?? (item.query.kind === 'values' ? rules.valuesAlias : '');
      return addSource(
        analysis,
        createSource(alias, columns, describeUnnamedColumns(analysis, columns)),
        item.columns,
        context,
      );
    }
    case 'table_call':
      analysis.size.addReads(1);
      return addSource(analysis, walkTableCall(walk, item, context), item.columns, context);
    case 'join':
      return walkJoin(walk, item, { ...context, depth: context.depth + 1 });
  }
}

/**
 * Some engines name an unnamed column with their own wording of its SQL. The guard then can't know all column names of
 * a subquery.
 */
const describeUnnamedColumns = (
  { dialect }: StatementAnalysis,
  columns: OutputColumn[],
): Pick<ScopeSource, 'open'> => ({
  open: dialect.names.computed === 'own text' && columns.some(({ name }) => isExpressionText(name)),
});

function addSource(
  analysis: StatementAnalysis,
  source: ScopeSource,
  newNames: string[],
  { scope }: ExpressionContext,
): ScopeSource[] {
  const { alias, columns, open } = source;
  if (newNames.length > columns.length && !open) {
    analysis.faults.add('column', `${alias} has ${columns.length} columns, not ${newNames.length}.`);
  }
  const isDuplicate = alias !== '' && scope.sources.some((existing) => analysis.isSameName(existing.alias, alias));
  if (isDuplicate && !analysis.dialect.names.sameAliasTwice) {
    analysis.faults.add('alias', `Two tables in FROM have the name ${alias}. Give them different names.`);
  }
  // An alias such as t(a, b) renames the first columns, in order.
  if (newNames.length > 0) source.uses.renamed = true;
  source.columns = renameColumns(columns, newNames);
  scope.sources.push(source);
  return [source];
}

function walkTable(
  { analysis }: StatementWalk,
  item: Table,
  context: ExpressionContext,
  replaceItem: ItemReplacer,
): ScopeSource | null {
  const { catalog, schema, name, alias, columns, at } = item;
  for (const part of [catalog, schema, name]) analysis.checkIdentifier(part ?? '');
  const cte = resolveCommonTable(analysis, context.ctes, item);
  if (cte) return { ...cte, ...describeUnnamedColumns(analysis, cte.columns) };
  const source = resolveTable(analysis, item);
  if (source) {
    analysis.scheduleReplacement({
      source,
      table: item,
      replace: ({ query }) =>
        replaceItem({ kind: 'derived', alias: alias ?? name, columns, at, query, lateral: false }),
    });
  }
  return source;
}

function walkTableCall(
  walk: StatementWalk,
  { calls, alias, columns, ordinality }: TableCall,
  context: ExpressionContext,
): ScopeSource {
  const { dialect, faults } = walk.analysis;
  const { inFrom } = dialect.functions;
  const names: string[] = [];
  for (const call of calls) {
    walk.visit(call, context);
    const name = dialect.names.output(call);
    const columnNames = inFrom.columns.get(call.name);
    // Some functions are harmless in an expression but read a table if the call is in FROM.
    if (!columnNames && inFrom.only && dialect.functions.list.has(call.name)) {
      faults.add('function', `The function ${call.name} is not allowed in FROM.`);
    }
    const outputName = alias !== null && inFrom.alias === 'names' && names.length === 0 ? alias : name;
    names.push(...(columnNames ?? [outputName]));
    if (inFrom.perArgument.has(call.name)) for (const _ of call.args.slice(1)) names.push(name);
  }
  if (ordinality) names.push('ordinality');
  if (alias !== null && inFrom.alias === 'adds' && columns.length === 0) names.push(alias);
  return createSource(
    alias ?? calls[0]?.name ?? '',
    names.map((name) => ({ name, masked: null })),
  );
}

function walkJoin(walk: StatementWalk, item: Join, context: ExpressionContext): ScopeSource[] {
  const { analysis } = walk;
  const { scope } = context;
  const left = walkFromItem(walk, item.left, context, (replacement) => {
    item.left = replacement;
  });
  const right = walkFromItem(walk, item.right, context, (replacement) => {
    item.right = replacement;
  });
  const { using, natural } = item;
  if (natural || using.length > 0) recordJoinColumns(analysis, scope, left, right, { using, natural });
  if (item.on) walk.visit(item.on, { ...context, outputs: 'no' });
  if (item.usingAlias !== null) {
    analysis.checkIdentifier(item.usingAlias);
    scope.sources.push(
      createSource(
        item.usingAlias,
        using.map((name) => ({ name, masked: null })),
      ),
    );
  }
  if (item.alias === null) return [...left, ...right];
  // The alias of a join hides the names inside it, and can't refer to raw columns.
  const hiddenSources = new Set([...left, ...right]);
  const columns = [...hiddenSources].flatMap((source) => source.columns);
  for (const { uses } of hiddenSources) Object.assign(uses, { star: true, renamed: true });
  scope.sources = scope.sources.filter((source) => !hiddenSources.has(source));
  const joinSource = createSource(item.alias, renameColumns(columns, item.columns));
  scope.sources.push(joinSource);
  return [joinSource];
}
