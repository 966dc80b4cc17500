// Parsed statements as plain JSON, read without trust in their shape.
export type AstNode = Record<string, unknown>;

export const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asNode = (value: unknown): AstNode => (isNode(value) ? value : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

/** The same statement has the same text here wherever its parts stood in the source, in whatever order of members. */
export function shapeOf(tree: unknown, ignored: ReadonlySet<string>): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (ignored.has(key)) return undefined;
    if (!isNode(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Every node of a tree, from the outside in. */
export function* nodesIn(tree: unknown): Generator<AstNode> {
  if (Array.isArray(tree)) for (const one of tree) yield* nodesIn(one);
  else if (isNode(tree)) {
    yield tree;
    for (const value of Object.values(tree)) yield* nodesIn(value);
  }
}

/** Another node in the place of this one, for whoever holds it. */
export function replaceNode(node: AstNode, other: AstNode): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, other);
}
