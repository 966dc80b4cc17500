// How every dialect's tree is walked: where the walk stands, the ways on from there, and what ends it.
import type { Analysis } from './analysis.ts';
import type { AstNode } from './ast.ts';
import { CteScope } from './common-tables.ts';
import { NameScope, type OutputColumn } from './name-scope.ts';
import type { Outputs } from './resolve-column.ts';
import type { Position } from './use-column.ts';

/** Where an expression stands. */
export interface Place {
  scope: NameScope;
  ctes: CteScope;
  position: Position;
  outputs: Outputs;
  depth: number;
}

/** Where a query stands. */
export interface QueryPlace {
  parent: NameScope | null;
  ctes: CteScope;
  outermost: boolean;
  depth: number;
}

/** What the parts of a dialect's walker hand each other: the findings, and the ways on into queries and expressions. */
export interface Walk {
  readonly analysis: Analysis;
  /** How many parameters were written. */
  readonly parameters: number;
  readonly deepest: number;
  query(node: AstNode, at: QueryPlace): OutputColumn[];
  visit(node: unknown, place: Place): void;
}

/** How a dialect walks; its parts find their way back into one another through the walk they are handed. */
interface DialectWalk {
  deepest: number;
  query(walk: Walk, node: AstNode, at: QueryPlace): OutputColumn[];
  visit(walk: Walk, node: unknown, place: Place): void;
}

export const walksWith =
  ({ deepest, query, visit }: DialectWalk) =>
  (analysis: Analysis, parameters: number): Walk => {
    const walk: Walk = {
      analysis,
      parameters,
      deepest,
      query: (node, at) => query(walk, node, at),
      visit: (node, place) => visit(walk, node, place),
    };
    return walk;
  };

export const walkStatement = (walk: Walk, query: AstNode): OutputColumn[] =>
  walk.query(query, { parent: null, ctes: new CteScope(), outermost: true, depth: 0 });

export const walkExpression = (walk: Walk, node: unknown): void =>
  walk.visit(node, { scope: new NameScope(null), ctes: new CteScope(), position: 'used', outputs: 'no', depth: 0 });

/** A query inside a query; `parent` is what it sees outside itself. */
export const inside = ({ ctes, depth }: { ctes: CteScope; depth: number }, parent: NameScope | null): QueryPlace => ({
  parent,
  ctes,
  outermost: false,
  depth: depth + 1,
});

export function isTooDeep({ analysis, deepest }: Walk, depth: number): boolean {
  if (depth > deepest) analysis.faults.add('too_deep', 'The statement nests too deeply.');
  return depth > deepest;
}

/** Fields of a node that nobody has thought about are refused. */
export function onlyFields(analysis: Analysis, what: string, node: AstNode, known: ReadonlySet<string>): void {
  for (const field of Object.keys(node)) if (!known.has(field)) analysis.construct(`${what} with ${field}`);
}

/** Names in a text, parted by white space. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
