// Parser trees as plain JSON. Their shape is not trusted: every access checks it.
export type AstNode = Record<string, unknown>;

export const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asNode = (value: unknown): AstNode => (isNode(value) ? value : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
