import type { Dialect } from '../../../dialects/dialect.ts';
import { type CallBound, createLengthBounds, EXPONENT_BOUNDS } from '../../../dialects/function-list.ts';
import { listStringLiterals } from '../../../dialects/lexer.ts';
import { EMPTY_TAIL, itemOf, literalOf, nullLiteral, numberOf, selectOf } from '../../../dialects/make-nodes.ts';
import { bindParameters } from '../../../dialects/parameters.ts';
import type { Expression, Query, Select } from '../../../dialects/tree.ts';
import { postgresTestStatements } from './cases.ts';
import { postgresCompilerRules } from './compiling.ts';
import {
  POSTGRES_EXTENSION_FUNCTIONS,
  POSTGRES_FUNCTIONS,
  POSTGRES_OPERATORS,
  POSTGRES_TABLE_COLUMNS,
  POSTGRES_TYPES,
  POSTGRES_UNCANCELABLE_WORK,
} from './functions.ts';
import { readPostgres } from './read.ts';
import { writeExpression, writeQuery } from './write.ts';

const CALL_BOUNDS: ReadonlyMap<string, CallBound> = new Map([
  ...createLengthBounds({ repeat: 1, lpad: 1, rpad: 1 }),
  ...EXPONENT_BOUNDS,
  ['format', { kind: 'format' }],
  ['generate_series', { kind: 'series' }],
]);

export const postgresDialect: Dialect = {
  name: 'postgres',
  quotes: { name: '"', plainNames: true, escapes: false, instants: 'with offset' },
  folding: { names: 'read', tablesByServer: false },
  defaultSchema: 'public',
  catalogAsSchema: false,
  ownTables: /^pg_/i,
  systemColumns: ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid', 'oid'],
  names: {
    wholeRow: 'last',
    structPaths: false,
    outputs: {
      items: 'no',
      where: 'no',
      groupBy: { bare: 'also', inside: 'also' },
      having: 'no',
      qualify: 'no',
      windows: 'no',
      distinctOn: { bare: 'first', inside: 'no' },
      orderBy: { bare: 'first', inside: 'no' },
      limit: 'no',
    },
    output: findOutputName,
    computed: 'word',
    values: { prefix: 'column', from: 1 },
    valuesAlias: '',
    lateral: 'written',
    sameAliasTwice: true,
    nameStays: false,
  },
  functions: {
    list: POSTGRES_FUNCTIONS,
    schemas: new Set(['pg_catalog']),
    builtin: { schema: 'pg_catalog', except: POSTGRES_EXTENSION_FUNCTIONS },
    bounds: CALL_BOUNDS,
    callsNamed: new Map(),
    inFrom: { columns: POSTGRES_TABLE_COLUMNS, only: false, alias: 'names', perArgument: new Set(['unnest']) },
  },
  unstoppable: POSTGRES_UNCANCELABLE_WORK,
  comparesByCasting: false,
  types: POSTGRES_TYPES,
  operators: POSTGRES_OPERATORS,
  parameters: { form: 'numbered', bind: (...statement) => bindParameters('numbered', ...statement) },
  endsOfSets: true,
  computedLimit: true,
  nullsSort: { said: true, unsaid: 'as greatest' },
  budgets: { deepest: 400, tokensHere: 500 },
  settings: ["standard_conforming_strings = 'on'", "timezone = 'UTC'"],
  compiling: postgresCompilerRules,
  fence: createOptimizationBarrier,
  rewrites: false,
  apart: () => false,
  read: readPostgres,
  write: writeQuery,
  writeExpression,
  texts: listStringLiterals,
  cases: postgresTestStatements,
};

/**
 * Creates a barrier with OFFSET and UNION ALL. With OFFSET alone, the planner would still read the column statistics of
 * the subquery, and compare LIKE patterns with frequent values, including hidden values.
 */
function createOptimizationBarrier(left: Select, outputs: readonly string[]): Query {
  const nulls = (outputs.length > 0 ? outputs : ['one']).map(() => itemOf(nullLiteral()));
  const right = selectOf(nulls, [], { where: literalOf('boolean', 'false') });
  const ends = { ...EMPTY_TAIL, offset: numberOf(0) };
  return { kind: 'set', operator: 'union', all: true, byName: false, left, right, ...ends };
}

/** Returns the name of an unnamed column, as FigureColname in PostgreSQL's source does. */
function findOutputName(value: Expression): string {
  return findImplicitColumnName(value) ?? '?column?';
}

const JSON_OUTPUT_NAMES = {
  object: 'json_object',
  array: 'json_array',
  array_query: 'json_array',
  object_agg: 'json_objectagg',
  array_agg: 'json_arrayagg',
  is_json: null,
} as const;

function findImplicitColumnName(value: Expression): string | null {
  switch (value.kind) {
    case 'column':
      return value.path.at(-1) ?? null;
    case 'call':
      return value.name;
    case 'subscript':
    case 'collate':
      return findImplicitColumnName(value.value);
    case 'cast':
      return findImplicitColumnName(value.value) ?? value.type.name;
    case 'case':
      return (value.otherwise && findImplicitColumnName(value.otherwise)) ?? 'case';
    case 'list':
    case 'array_query':
      return 'array';
    case 'row':
      return 'row';
    case 'exists':
      return 'exists';
    case 'scalar':
      return findFirstOutputName(value.query);
    case 'json':
      return JSON_OUTPUT_NAMES[value.what];
    default:
      return null;
  }
}

function findFirstOutputName(query: Query): string | null {
  if (query.kind !== 'select' || query.items.length === 0) return null;
  const [firstItem] = query.items;
  return firstItem!.alias ?? findOutputName(firstItem!.value);
}
