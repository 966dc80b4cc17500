// Rewrites SQL that the engine could understand differently from the guard.
import type { Dialect } from '../../dialects/dialect.ts';
import type { FaultCollector } from '../../dialects/fault-collector.ts';
import { derivedOf, selectOf, starOf } from '../../dialects/make-nodes.ts';
import { listNodes, replaceNodes } from '../../dialects/nodes.ts';
import type { Call, FromItem, Node, Query, SelectItem } from '../../dialects/tree.ts';

/**
 * Hides the name of a table that has an alias, for engines in which the table's own name remains valid. Otherwise, a
 * reference to an outer table with that name would refer to the inner table.
 */
export function hideTableNames(query: Query): Query {
  const copy = structuredClone(query);
  for (const node of [...listNodes(copy)]) {
    if (node.kind === 'select') {
      node.from = node.from.map(hideTableName);
      node.items = node.items.map(withColumnAlias);
    }
    if (node.kind !== 'join') continue;
    node.left = hideTableName(node.left);
    node.right = hideTableName(node.right);
  }
  return copy;
}

function hideTableName(item: FromItem): FromItem {
  if (item.kind !== 'table' || item.alias === null || item.alias === item.name) return item;
  const { alias, columns } = item;
  const rows = selectOf([{ value: starOf(), alias: null }], [{ ...item, alias: null, columns: [] }]);
  return derivedOf(rows, alias, { columns });
}

const withColumnAlias = (item: SelectItem): SelectItem =>
  item.alias === null && item.value.kind === 'column' && item.value.path.length > 1
    ? { ...item, alias: item.value.path.at(-1)! }
    : item;

/**
 * Qualifies the calls of built-in functions in a statement's text. `query`, the tree of the statement, contains the
 * positions of these calls. A warehouse can have user-defined functions with the same names. The engine prefers the function whose argument types
 * match better, regardless of the search path.
 */
export function qualifyCalls(dialect: Dialect, text: string, query: Query): string {
  const { builtin } = dialect.functions;
  if (!builtin) return text;
  const offsets = [...listNodes(query)].flatMap((node) =>
    needsSchema(dialect, node) && node.at !== null ? [node.at] : [],
  );
  if (offsets.length === 0) return text;
  offsets.sort((a, b) => a - b);
  const bytes = Buffer.from(text);
  const pieces = [0, ...offsets].map((offset, index) => bytes.subarray(offset, offsets[index]).toString());
  return pieces.join(`${builtin.schema}.`);
}

/** Qualifies the calls in a tree. Returns the same tree if no call needs a schema. */
export function withQualifiedCalls(dialect: Dialect, query: Query): Query {
  const { builtin } = dialect.functions;
  if (!builtin) return query;
  const qualifyCall = (node: Node): Node | null =>
    needsSchema(dialect, node) ? replaceNodes<Node>({ ...node, schema: builtin.schema }, qualifyCall) : null;
  return replaceNodes(query, qualifyCall);
}

function needsSchema({ functions: { builtin, list } }: Dialect, node: Node): node is Call {
  if (node.kind !== 'call' || node.schema !== null) return false;
  const isSyntax = ['grammar', 'bare'].includes(list.kind(node.name) ?? 'grammar');
  return !isSyntax && !builtin!.except.has(node.name);
}

/**
 * Checks that each string in the compiler's tree is one token in the SQL that svc wrote from the tree. Reports an error
 * if a string occurs less often in the SQL than in the tree. Without this check, a mistake in writing a value could go
 * unnoticed, because svc doesn't parse the compiler's SQL again.
 */
export function checkTextsUnchanged(dialect: Dialect, text: string, query: Query, faults: FaultCollector): void {
  const remainingTexts = new Map<string, number>();
  for (const value of dialect.texts(text)) remainingTexts.set(value, (remainingTexts.get(value) ?? 0) + 1);
  for (const node of listNodes(query)) {
    if (node.kind !== 'literal' || !QUOTED_TYPES.has(node.type)) continue;
    const remaining = remainingTexts.get(node.value) ?? 0;
    if (remaining === 0)
      faults.add('literal', 'The SQL does not contain each value of the statement as a single constant.');
    remainingTexts.set(node.value, remaining - 1);
  }
}

const QUOTED_TYPES = new Set(['string', 'date', 'time', 'datetime', 'timestamp']);
