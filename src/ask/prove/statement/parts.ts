// Traverses the parts of a syntax tree that belong to one SELECT, without its nested queries.
import { isQuery, listChildren } from '../../../dialects/nodes.ts';
import type { Call, Node, Query } from '../../../dialects/tree.ts';

/** Yields every node in the given parts, except nested queries and the nodes inside them. */
export function* listNodesOutsideQueries(parts: unknown[]): Generator<Node> {
  for (const child of listChildren(parts)) {
    if (isQuery(child)) continue;
    yield child;
    yield* listNodesOutsideQueries([Object.values(child)]);
  }
}

export const findCalls = (parts: unknown[]): Call[] =>
  [...listNodesOutsideQueries(parts)].filter((node): node is Call => node.kind === 'call');

/** Yields the outermost nested queries. */
export function* findQueries(parts: unknown[]): Generator<Query> {
  for (const child of listChildren(parts)) {
    if (isQuery(child)) yield child;
    else yield* findQueries([Object.values(child)]);
  }
}
