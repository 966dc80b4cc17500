// Builds the members of a dialect that follow from its grammar, for engines without a parser library.
import type { CallBound, Dialect } from '../dialect.ts';
import { Faults } from '../faults.ts';
import type { FunctionList } from '../function-list.ts';
import { numberOf } from '../make-nodes.ts';
import { bindParameters } from '../parameters.ts';
import type { ForeignGrammar } from './grammar.ts';
import { readForeign } from './read.ts';
import { tokenizeForeign } from './tokens.ts';
import { writeForeign, writeForeignExpression } from './write.ts';

type DerivedMember = 'defaultSchema' | 'catalogAsSchema' | 'ownTables' | 'computedLimit' | 'budgets' | 'apart';
type SyntaxMember = 'parameters' | 'read' | 'write' | 'writeExpression' | 'texts';

export const createForeignDialect = (grammar: ForeignGrammar): Pick<Dialect, DerivedMember | SyntaxMember> => ({
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  computedLimit: false,
  budgets: { deepest: 200, tokensHere: 250 },
  apart: () => false,
  parameters: {
    form: 'marks',
    bind: (sql, _, declared, faults) =>
      bindParameters('marks', sql, tokenizeForeign(grammar, sql, faults), declared, faults),
  },
  read: (sql, faults) => readForeign(grammar, sql, faults),
  write: (query) => writeForeign(grammar, query),
  writeExpression: (expression) => writeForeignExpression(grammar, expression),
  texts: (sql) =>
    tokenizeForeign(grammar, sql, new Faults()).flatMap(({ kind, text }) => (kind === 'string' ? [text] : [])),
});

/**
 * The name rules of most engines without a parser library. An output has the name of its column, and a subquery in FROM
 * can refer to the tables before it only with LATERAL.
 */
export const FOREIGN_NAME_RULES = {
  wholeRow: 'never',
  structPaths: false,
  output: (value) => (value.kind === 'column' ? (value.path.at(-1) ?? '') : ''),
  valuesAlias: '',
  lateral: 'written',
  nameStays: false,
} as const satisfies Partial<Dialect['names']>;

/**
 * Returns the function rules for engines where a user-defined function can't replace a built-in one. FROM accepts no
 * functions.
 */
export const createForeignFunctions = (
  list: FunctionList,
  bounds: readonly (readonly [string, CallBound])[],
): Dialect['functions'] => ({
  list,
  schemas: new Set(),
  builtin: null,
  bounds: new Map(bounds),
  callsNamed: new Map(),
  inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
});

/** A LIMIT larger than any table. The number is small enough that every client reads it exactly. */
const ALL_ROWS_LIMIT = '9007199254740991';
/** Adds a LIMIT to a subquery, for engines that push conditions into subqueries without a LIMIT. */
export const fenceWithLimit: Dialect['fence'] = (body) => ({ ...body, limit: numberOf(ALL_ROWS_LIMIT) });
