// BigQuery. svc has no exact parser for it, so the generic parser reads it and proves the result.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import { foreignDialect } from '../../../dialects/foreign/foreign.ts';
import { numberOf } from '../../../dialects/make-nodes.ts';
import { bigqueryCases } from './cases.ts';
import { bigqueryCompiling } from './compiling.ts';
import { BIGQUERY_FUNCTIONS } from './functions.ts';
import { BIGQUERY_GRAMMAR, BIGQUERY_TYPES } from './grammar.ts';

/** Every reader takes this as an exact number. As a LIMIT it includes all rows. */
const ALL_ROWS = '9007199254740991';
const BOUNDS: readonly (readonly [string, CallBound])[] = [
  ['repeat', { kind: 'length', argument: 1 }],
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
];

export const bigquery: Dialect = {
  name: 'bigquery',
  quotes: { name: '`', plainNames: false, escapes: true, instants: 'apart' },
  folding: { names: 'unicode', tablesByServer: true },
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  systemColumns: [
    '_partitiontime',
    '_partitiondate',
    '_table_suffix',
    '_file_name',
    '_change_type',
    '_change_timestamp',
    '_change_sequence_number',
    '_row_timestamp',
  ],
  names: {
    wholeRow: 'first',
    structPaths: true,
    // As GoogleSQL's analyzer resolves them.
    outputs: {
      items: 'no',
      where: 'no',
      groupBy: { bare: 'first', inside: 'no' },
      having: 'first',
      qualify: 'first',
      windows: 'no',
      distinctOn: { bare: 'no', inside: 'no' },
      orderBy: { bare: 'first', inside: 'first' },
      limit: 'no',
    },
    output: (value) => (value.kind === 'column' ? (value.path.at(-1) ?? '') : ''),
    computed: 'word',
    values: { prefix: 'f', from: 0 },
    valuesAlias: '',
    lateral: 'written',
    sameAliasTwice: false,
    nameStays: false,
  },
  functions: {
    list: BIGQUERY_FUNCTIONS,
    schemas: new Set(),
    builtin: null,
    bounds: new Map(BOUNDS),
    callsNamed: new Map(),
    inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
  },
  comparesByCasting: false,
  types: BIGQUERY_TYPES,
  operators: new Set(['||']),
  endsOfSets: true,
  computedLimit: false,
  nullsSort: { said: true, unsaid: 'as least' },
  budgets: { deepest: 200, tokensHere: 250 },
  // The time zone is a property of each job.
  settings: [],
  compiling: bigqueryCompiling,
  // Conditions aren't pushed into a subquery with a LIMIT.
  fence: (body) => ({ ...body, limit: numberOf(ALL_ROWS) }),
  // Paths in one pair of quotes, escapes and # comments have several spellings; the written form has one.
  rewrites: true,
  apart: () => false,
  ...foreignDialect(BIGQUERY_GRAMMAR),
  cases: bigqueryCases,
};
