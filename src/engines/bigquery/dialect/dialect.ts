import type { Dialect } from '../../../dialects/dialect.ts';
import {
  addOptimizationBarrierLimit,
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { bigqueryTestStatements } from './cases.ts';
import { bigqueryCompilerRules } from './compiling.ts';
import { BIGQUERY_FUNCTIONS } from './functions.ts';
import { BIGQUERY_GRAMMAR, BIGQUERY_TYPES } from './grammar.ts';

export const bigqueryDialect: Dialect = {
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
    // svc resolves names in the same order as GoogleSQL's analyzer.
    outputs: {
      ...createOutputRules('no'),
      groupBy: { bare: 'first', inside: 'no' },
      having: 'first',
      qualify: 'first',
      orderBy: { bare: 'first', inside: 'first' },
    },
    computed: 'word',
    values: { prefix: 'f', from: 0 },
    sameAliasTwice: false,
  },
  functions: createForeignFunctions(BIGQUERY_FUNCTIONS, { repeat: 1, lpad: 1, rpad: 1 }),
  comparesByCasting: false,
  types: BIGQUERY_TYPES,
  operators: new Set(['||']),
  nullsSort: { said: true, unsaid: 'as least' },
  // svc sets the time zone in each job and uses no session.
  settings: [],
  compiling: bigqueryCompilerRules,
  // BigQuery doesn't push conditions into a subquery with a LIMIT.
  fence: addOptimizationBarrierLimit,
  // svc never runs the original SQL, only SQL that it has written from the tree, because paths, escapes and comments
  // have several notations.
  rewrites: true,
  cases: bigqueryTestStatements,
};
