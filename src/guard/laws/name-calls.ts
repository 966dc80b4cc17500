// A warehouse may have functions of its own named like allowed ones, and one that takes the very types of a call is
// chosen before the built-in, wherever the schemas are in the search path. With its schema the name means one thing.
import type { Dialect } from '../../dialects/dialect.ts';
import { changed, nodesIn } from '../../dialects/nodes.ts';
import type { Call, Node, Query } from '../../dialects/tree.ts';

/** The text with each bare call of an allowed built-in named in full; `query` is what the text was read as. */
export function nameCalls(dialect: Dialect, text: string, query: Query): string {
  const { builtin } = dialect.functions;
  if (!builtin) return text;
  const places = [...nodesIn(query)].flatMap((node) => (isNamed(dialect, node) && node.at !== null ? [node.at] : []));
  if (places.length === 0) return text;
  places.sort((a, b) => a - b);
  const bytes = Buffer.from(text);
  const pieces = [0, ...places].map((place, index) => bytes.subarray(place, places[index]).toString());
  return pieces.join(`${builtin.schema}.`);
}

/** The same of a tree that no text was read as; itself where nothing is to be named. */
export function withCallsNamed(dialect: Dialect, query: Query): Query {
  const { builtin } = dialect.functions;
  if (!builtin) return query;
  const name = (node: Node): Node | null =>
    isNamed(dialect, node) ? changed<Node>({ ...node, schema: builtin.schema }, name) : null;
  return changed(query, name);
}

function isNamed({ functions: { builtin, list } }: Dialect, node: Node): node is Call {
  if (node.kind !== 'call' || node.schema !== null) return false;
  const ofGrammar = ['grammar', 'bare'].includes(list.kind(node.name) ?? 'grammar');
  return !ofGrammar && !builtin!.except.has(node.name);
}
