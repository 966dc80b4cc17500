// How one dialect's tree of a single expression is read: nodes that call a function, and nodes that name a column.

import type { FunctionList } from '../dialects/function-list.ts';
import type { Analysis } from './analysis.ts';
import type { AstNode } from './ast.ts';

export interface ExpressionReading {
  /** Null when the text is no single expression. */
  root: AstNode | null;
  curated: FunctionList;
  call(node: unknown): { name: string; distinct: boolean; windowed: boolean; args: unknown[] } | null;
  column(node: unknown): string[] | null;
  /** A node that is NULL. */
  nothing: AstNode;
  walk(analysis: Analysis): void;
}

/** What stands before an expression to make it a statement. */
export const PREFIX = 'select ';
