// Qualifies calls of built-in functions. A warehouse can have user-defined functions with the same names. The engine
// prefers the function whose argument types match better, regardless of the search path.
import type { Dialect } from '../../dialects/dialect.ts';
import { nodesIn, replaceNodes } from '../../dialects/nodes.ts';
import type { Call, Node, Query } from '../../dialects/tree.ts';

/** Qualifies the calls in a statement's text. Its tree, `query`, contains their positions. */
export function qualifyCalls(dialect: Dialect, text: string, query: Query): string {
  const { builtin } = dialect.functions;
  if (!builtin) return text;
  const offsets = [...nodesIn(query)].flatMap((node) =>
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
