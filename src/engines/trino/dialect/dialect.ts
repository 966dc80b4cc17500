// Trino. svc has no exact parser for it, so the generic parser reads it and proves the result.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import { foreignDialect } from '../../../dialects/foreign/foreign.ts';
import { numberOf } from '../../../dialects/make-nodes.ts';
import { trinoCases } from './cases.ts';
import { trinoCompiling } from './compiling.ts';
import { TRINO_FUNCTIONS } from './functions.ts';
import { TRINO_GRAMMAR, TRINO_TYPES } from './grammar.ts';

/** Every reader takes this as an exact number. As a LIMIT it includes all rows. */
const ALL_ROWS = '9007199254740991';
const BOUNDS: readonly (readonly [string, CallBound])[] = [
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
];

export const trino: Dialect = {
  name: 'trino',
  quotes: { name: '"', plainNames: false, escapes: false, instants: 'with offset' },
  folding: { names: 'unicode', tablesByServer: false },
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  systemColumns: ['$path', '$bucket', '$file_size', '$file_modified_time', '$partition', '$row_id', '$properties'],
  names: {
    wholeRow: 'never',
    structPaths: false,
    outputs: {
      items: 'no',
      where: 'no',
      groupBy: { bare: 'no', inside: 'no' },
      having: 'no',
      qualify: 'no',
      windows: 'no',
      distinctOn: { bare: 'no', inside: 'no' },
      orderBy: { bare: 'first', inside: 'first' },
      limit: 'no',
    },
    output: (value) => (value.kind === 'column' ? (value.path.at(-1) ?? '') : ''),
    computed: 'word',
    values: { prefix: '_col', from: 0 },
    valuesAlias: '',
    lateral: 'written',
    sameAliasTwice: true,
    nameStays: false,
  },
  functions: {
    list: TRINO_FUNCTIONS,
    schemas: new Set(),
    builtin: null,
    bounds: new Map(BOUNDS),
    callsNamed: new Map(),
    inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
  },
  comparesByCasting: false,
  types: TRINO_TYPES,
  operators: new Set(['||', 'at time zone']),
  endsOfSets: true,
  computedLimit: false,
  nullsSort: { said: true, unsaid: 'last' },
  budgets: { deepest: 200, tokensHere: 250 },
  // The time zone, the language and the function path are headers of each statement.
  settings: [],
  compiling: trinoCompiling,
  // Trino pushes conditions into every subquery except one with a LIMIT.
  fence: (body) => ({ ...body, limit: numberOf(ALL_ROWS) }),
  rewrites: false,
  apart: () => false,
  ...foreignDialect(TRINO_GRAMMAR),
  cases: trinoCases,
};
