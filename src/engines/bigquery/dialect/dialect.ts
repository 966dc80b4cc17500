// The dialect of BigQuery. The generic parser reads the SQL, and svc checks each parsed tree against the SQL.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import {
  createForeignDialect,
  createForeignFunctions,
  FOREIGN_NAME_RULES,
  fenceWithLimit,
} from '../../../dialects/foreign/foreign.ts';
import { bigqueryCases } from './cases.ts';
import { bigqueryCompiling } from './compiling.ts';
import { BIGQUERY_FUNCTIONS } from './functions.ts';
import { BIGQUERY_GRAMMAR, BIGQUERY_TYPES } from './grammar.ts';

const CALL_BOUNDS: readonly (readonly [string, CallBound])[] = [
  ['repeat', { kind: 'length', argument: 1 }],
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
];

export const bigquery: Dialect = {
  ...createForeignDialect(BIGQUERY_GRAMMAR),
  name: 'bigquery',
  quotes: { name: '`', plainNames: false, escapes: true, instants: 'apart' },
  folding: { names: 'unicode', tablesByServer: true },
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
    ...FOREIGN_NAME_RULES,
    wholeRow: 'first',
    structPaths: true,
    // These rules follow GoogleSQL's analyzer.
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
    computed: 'word',
    values: { prefix: 'f', from: 0 },
    sameAliasTwice: false,
  },
  functions: createForeignFunctions(BIGQUERY_FUNCTIONS, CALL_BOUNDS),
  comparesByCasting: false,
  types: BIGQUERY_TYPES,
  operators: new Set(['||']),
  endsOfSets: true,
  nullsSort: { said: true, unsaid: 'as least' },
  // svc sets the time zone in each job instead of a session.
  settings: [],
  compiling: bigqueryCompiling,
  // BigQuery doesn't push conditions into a subquery with a LIMIT.
  fence: fenceWithLimit,
  // svc always runs SQL that it has written from the tree, because paths, escapes and comments have several notations.
  rewrites: true,
  cases: bigqueryCases,
};
