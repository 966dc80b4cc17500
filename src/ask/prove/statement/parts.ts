// Traverses the parts of a syntax tree that belong to one SELECT, without its nested queries.
import type { Dialect } from '../../../dialects/dialect.ts';
import { isQuery, listChildren } from '../../../dialects/nodes.ts';
import type { Call, Column, Node, Query } from '../../../dialects/tree.ts';

/** Every node in the given parts, except nested queries and the nodes inside them. */
export const listNodesOutsideQueries = (parts: object): Node[] =>
  [...listChildren(parts)].flatMap((child) => (isQuery(child) ? [] : [child, ...listNodesOutsideQueries(child)]));

export const findColumns = (parts: unknown[]): Column[] =>
  listNodesOutsideQueries(parts).filter((node) => node.kind === 'column');
export const findCalls = (parts: unknown[]): Call[] =>
  listNodesOutsideQueries(parts).filter((node) => node.kind === 'call');

/** Aggregate calls, without window functions. */
export const findAggregateCalls = ({ functions }: Dialect, parts: unknown[]): Call[] =>
  findCalls(parts).filter(({ name, over }) => over === null && functions.list.kind(name) === 'aggregate');

/** The outermost nested queries. */
export const findQueries = (parts: object): Query[] =>
  [...listChildren(parts)].flatMap((child) => (isQuery(child) ? [child] : findQueries(child)));
