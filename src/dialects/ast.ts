// Helpers for parser trees in JSON. Their shape isn't trusted, so every access is checked.
export type AstNode = Record<string, unknown>;

export const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asNode = (value: unknown): AstNode => (isNode(value) ? value : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
