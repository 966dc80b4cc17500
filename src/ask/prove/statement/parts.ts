// Parts of a neutral tree that belong to one SELECT, without what queries further in hold.
import { childrenOf } from '../../../dialects/nodes.ts';
import type { Call, Node, Query } from '../../../dialects/tree.ts';

const isQuery = (node: Node): node is Query => node.kind === 'select' || node.kind === 'set' || node.kind === 'values';

/** Every node in lists and nodes, but nothing of queries further in. */
export function* nodesBeside(parts: unknown[]): Generator<Node> {
  for (const child of childrenOf(parts)) {
    if (isQuery(child)) continue;
    yield child;
    yield* nodesBeside([Object.values(child)]);
  }
}

export const callsIn = (parts: unknown[]): Call[] =>
  [...nodesBeside(parts)].filter((node): node is Call => node.kind === 'call');

/** The queries directly within. */
export function* queriesIn(parts: unknown[]): Generator<Query> {
  for (const child of childrenOf(parts)) {
    if (isQuery(child)) yield child;
    else yield* queriesIn([Object.values(child)]);
  }
}
