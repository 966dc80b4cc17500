// Builds the members of a dialect that follow from its grammar, for engines without a parser library.
import type { Dialect, OutputNameRule } from '../dialect.ts';
import { FaultCollector } from '../fault-collector.ts';
import { type CallBound, createLengthBounds, EXPONENT_BOUNDS, type FunctionList } from '../function-list.ts';
import { numberOf } from '../make-nodes.ts';
import { bindParameters } from '../parameters.ts';
import type { Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import { parseForeign } from './parse.ts';
import { extractStatementTokens, verifyParsedQuery } from './prove.ts';
import { readExpression } from './read-expression.ts';
import { readQuery } from './read-query.ts';
import { tokenizeForeign } from './tokens.ts';
import { TreeReader } from './tree-reader.ts';
import { writeForeign, writeForeignExpression } from './write.ts';

/** Reads SQL of an engine without a parser library, and checks the tree against its source. */
export async function readForeign(grammar: ForeignGrammar, sql: string, faults: FaultCollector): Promise<Query | null> {
  const tokens = extractStatementTokens(grammar, sql, faults);
  const parserTree = tokens && (await parseForeign(grammar, tokens, faults));
  if (!parserTree) return null;
  const reader = new TreeReader(grammar, faults, { expression: readExpression, query: readQuery });
  const query = reader.readQuery(parserTree);
  if (faults.list.length === 0) verifyParsedQuery(reader, query, sql, tokens);
  return query;
}

type DerivedMember =
  | 'defaultSchema'
  | 'catalogAsSchema'
  | 'ownTables'
  | 'computedLimit'
  | 'endsOfSets'
  | 'budgets'
  | 'apart';
type SyntaxMember = 'parameters' | 'read' | 'write' | 'writeExpression' | 'texts';

export const createForeignDialect = (grammar: ForeignGrammar): Pick<Dialect, DerivedMember | SyntaxMember> => ({
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  computedLimit: false,
  endsOfSets: grammar.endsOfSets,
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
    tokenizeForeign(grammar, sql, new FaultCollector()).flatMap(({ kind, text }) => (kind === 'string' ? [text] : [])),
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

/** Applies one rule for the names of outputs to all clauses. */
export const createOutputRules = (rule: OutputNameRule): Dialect['names']['outputs'] => {
  const key = { bare: rule, inside: rule };
  const clauses = { items: rule, where: rule, having: rule, qualify: rule, windows: rule, limit: rule };
  return { ...clauses, groupBy: key, distinctOn: key, orderBy: key };
};

/**
 * Returns the function rules for engines where a user-defined function can't replace a built-in one. FROM accepts no
 * functions. `lengths`: functions that take the length of their result, with the position of that argument.
 */
export const createForeignFunctions = (
  list: FunctionList,
  lengths: Readonly<Record<string, number>>,
  otherBounds: readonly (readonly [string, CallBound])[] = [],
): Dialect['functions'] => ({
  list,
  schemas: new Set(),
  builtin: null,
  bounds: new Map([...createLengthBounds(lengths), ...EXPONENT_BOUNDS, ...otherBounds]),
  callsNamed: new Map(),
  inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
});

/** A LIMIT larger than any table. The number is small enough that every client reads it exactly. */
const ALL_ROWS_LIMIT = '9007199254740991';
/** Adds a LIMIT to a subquery. Some engines push conditions into subqueries that have no LIMIT. */
export const addOptimizationBarrierLimit: Dialect['fence'] = (body) => ({ ...body, limit: numberOf(ALL_ROWS_LIMIT) });
