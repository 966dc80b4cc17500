// Reads parser trees in JSON. svc doesn't trust the shape of a tree, so it checks every access.
export type AstNode = Record<string, unknown>;

export const isAstNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toAstNode = (value: unknown): AstNode => (isAstNode(value) ? value : {});
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const toTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
