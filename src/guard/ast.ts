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
