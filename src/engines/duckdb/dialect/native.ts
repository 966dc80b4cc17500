import { type AstNode, isAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import type { Expression, Query } from '../../../dialects/tree.ts';

export const toTextList = (value: unknown): string[] => toList(value).map(toTextOrEmpty);
export const toTextOrNull = (value: unknown): string | null => toTextOrEmpty(value) || null;

export function* listNodes(tree: unknown): Generator<AstNode> {
  if (Array.isArray(tree)) for (const item of tree) yield* listNodes(item);
  else if (isAstNode(tree)) {
    yield tree;
    for (const value of Object.values(tree)) yield* listNodes(value);
  }
}

export const toWordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Returns a byte offset. Returns null for nodes that DuckDB created, which have no position in the statement. */
export function readPosition(node: AstNode): number | null {
  const position = node['query_location'];
  return typeof position === 'number' && Number.isSafeInteger(position) ? position : null;
}

export interface ReadContext {
  readonly faults: FaultCollector;
  readQuery(value: unknown): Query;
  /** Reads an expression that can't have an alias. */
  readExpression(value: unknown): Expression;
}

export function refuseConstruct({ faults }: ReadContext, construct: string): void {
  faults.add('construct', `${construct} is not allowed here.`);
}

export function refuseOtherFields(
  reading: ReadContext,
  construct: string,
  node: AstNode,
  allowedFields: ReadonlySet<string>,
): void {
  for (const field of Object.keys(node))
    if (!allowedFields.has(field)) refuseConstruct(reading, `${construct} with ${field}`);
}
