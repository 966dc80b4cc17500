// Reads parser trees in JSON. svc doesn't trust the shape of a tree, so it checks every access.
export type AstNode = Record<string, unknown>;

export const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asNode = (value: unknown): AstNode => (isNode(value) ? value : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
