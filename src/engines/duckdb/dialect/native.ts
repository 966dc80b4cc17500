// What the readers of DuckDB's serialized trees share.
import { type AstNode, asList, asText, isNode } from '../../../dialects/ast.ts';
import type { Faults } from '../../../dialects/faults.ts';
import type { Expression, Query } from '../../../dialects/tree.ts';

export const asTexts = (value: unknown): string[] => asList(value).map(asText);
export const textOrNull = (value: unknown): string | null => asText(value) || null;

/** Every node of a native tree, parents first. */
export function* nodesIn(tree: unknown): Generator<AstNode> {
  if (Array.isArray(tree)) for (const item of tree) yield* nodesIn(item);
  else if (isNode(tree)) {
    yield tree;
    for (const value of Object.values(tree)) yield* nodesIn(value);
  }
}

/** Splits a text at white space. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Byte offset of a node. Nodes that DuckDB made itself have an offset beyond any text. */
export function placeOf(node: AstNode): number | null {
  const position = node['query_location'];
  return typeof position === 'number' && Number.isSafeInteger(position) ? position : null;
}

/** State of reading one statement: its faults, and the callbacks for queries and expressions. */
export interface Reading {
  readonly faults: Faults;
  query(value: unknown): Query;
  /** An expression without an alias. */
  expression(value: unknown): Expression;
}

export function refuse({ faults }: Reading, construct: string): void {
  faults.add('construct', `${construct} is not allowed here.`);
}

/** Refuses fields of a node that svc doesn't know. */
export function onlyFields(
  reading: Reading,
  construct: string,
  node: AstNode,
  allowedFields: ReadonlySet<string>,
): void {
  for (const field of Object.keys(node)) if (!allowedFields.has(field)) refuse(reading, `${construct} with ${field}`);
}
