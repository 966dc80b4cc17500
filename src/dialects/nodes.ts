// Walks, compares and changes syntax trees.
import type { Expression, Node, Query } from './tree.ts';

type TreeValue = object | null | string | number | boolean | undefined;

const isNode = (value: object): value is Node => 'kind' in value;

/** Yields the direct children of a node, including those in lists and plain objects. */
export function* listChildren(node: object): Generator<Node> {
  for (const value of Object.values(node) as TreeValue[]) {
    if (typeof value !== 'object' || value === null) continue;
    if (isNode(value)) yield value;
    else yield* listChildren(value);
  }
}

export const isQuery = (node: Node): node is Query =>
  node.kind === 'select' || node.kind === 'set' || node.kind === 'values';

/** Yields each node before its children. */
export function* listNodes(node: Node): Generator<Node> {
  yield node;
  for (const child of listChildren(node)) yield* listNodes(child);
}

/** Returns the conditions that a chain of AND combines. */
export function listConjuncts(condition: Expression | null): Expression[] {
  if (!condition) return [];
  return condition.kind === 'logic' && condition.operator === 'and'
    ? condition.args.flatMap(listConjuncts)
    : [condition];
}

/** Copies a tree. `change` returns the replacement of a node, or null to keep the node. */
export function replaceNodes<T>(tree: T, change: (node: Node) => Node | null): T {
  if (Array.isArray(tree)) return tree.map((item) => replaceNodes(item as unknown, change)) as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  const replacement = isNode(tree) ? change(tree) : null;
  if (replacement) return replacement as T;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, replaceNodes(value as unknown, change)]),
  ) as T;
}

/** Compares trees without their source positions. */
export function areTreesEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => areTreesEqual(item, b[i]));
  const keys = Object.keys(a);
  if (Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => key === 'at' || (key in b && areTreesEqual(a[key as keyof typeof a], b[key as keyof typeof b])),
  );
}

export type ConstantValue = string | number | boolean | null;

/**
 * Returns the value of a literal, even inside casts or after a sign. Returns a number as a string if JavaScript would
 * lose digits.
 */
export function toConstant(node: Expression): ConstantValue | undefined {
  if (node.kind === 'cast') return toConstant(node.value);
  if (node.kind === 'arithmetic' && node.left === null && node.operator === '-') {
    const { right } = node;
    return right.kind === 'literal' && right.type === 'number' ? toExactNumber(`-${right.value}`) : undefined;
  }
  if (node.kind !== 'literal') return undefined;
  if (node.type === 'null') return null;
  if (node.type === 'boolean') return node.value === 'true';
  return node.type === 'number' ? toExactNumber(node.value) : node.value;
}

const toExactNumber = (text: string): string | number => (String(Number(text)) === text ? Number(text) : text);
