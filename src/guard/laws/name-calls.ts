// A warehouse may have functions of its own named like allowed ones, and one that takes the very types of a call is
// chosen before the built-in, wherever the schemas stand in the search path. With its schema the name means one thing.
import type { Dialect } from '../../dialects/dialect.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { Query } from '../../dialects/tree.ts';

/** The text with each bare call of an allowed built-in named in full; `query` is what the text was read as. */
export function nameCalls({ functions }: Dialect, text: string, query: Query): string {
  const { builtin, list } = functions;
  if (!builtin) return text;
  const places = [...nodesIn(query)].flatMap((node) => {
    if (node.kind !== 'call' || node.schema !== null || node.at === null) return [];
    const ofGrammar = ['grammar', 'bare'].includes(list.kind(node.name) ?? 'grammar');
    return ofGrammar || builtin.except.has(node.name) ? [] : [node.at];
  });
  if (places.length === 0) return text;
  places.sort((a, b) => a - b);
  const bytes = Buffer.from(text);
  const pieces = [0, ...places].map((place, index) => bytes.subarray(place, places[index]).toString());
  return pieces.join(`${builtin.schema}.`);
}
