// What the readers of DuckDB's serialised trees share, and how they reach each other.
import { type AstNode, asList, asText, isNode } from '../../../dialects/ast.ts';
import type { Faults } from '../../../dialects/faults.ts';
import type { Expression, Query } from '../../../dialects/tree.ts';

export const asTexts = (value: unknown): string[] => asList(value).map(asText);
export const textOrNull = (value: unknown): string | null => asText(value) || null;

/** Every node of a native tree, from the outside in. */
export function* nodesIn(tree: unknown): Generator<AstNode> {
  if (Array.isArray(tree)) for (const one of tree) yield* nodesIn(one);
  else if (isNode(tree)) {
    yield tree;
    for (const value of Object.values(tree)) yield* nodesIn(value);
  }
}

/** Names in a text, parted by white space. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Where a node stands, in bytes; what DuckDB made itself stands beyond any text. */
export function placeOf(node: AstNode): number | null {
  const place = node['query_location'];
  return typeof place === 'number' && Number.isSafeInteger(place) ? place : null;
}

/** One statement while it is read: what is wrong with it, and the ways on into queries and expressions. */
export interface Reading {
  readonly faults: Faults;
  query(value: unknown): Query;
  /** One that has no name of its own. */
  expression(value: unknown): Expression;
}

export function refuse({ faults }: Reading, what: string): void {
  faults.add('construct', `${what} is not allowed here.`);
}

/** Fields of a node that no one has thought about are refused. */
export function onlyFields(reading: Reading, what: string, node: AstNode, known: ReadonlySet<string>): void {
  for (const field of Object.keys(node)) if (!known.has(field)) refuse(reading, `${what} with ${field}`);
}
