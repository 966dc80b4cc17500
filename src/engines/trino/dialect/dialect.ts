import type { Dialect } from '../../../dialects/dialect.ts';
import {
  addOptimizationBarrierLimit,
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { trinoTestStatements } from './cases.ts';
import { trinoCompilerRules } from './compiling.ts';
import { TRINO_FUNCTIONS } from './functions.ts';
import { TRINO_GRAMMAR, TRINO_TYPES } from './grammar.ts';

export const trinoDialect: Dialect = {
  ...createForeignDialect(TRINO_GRAMMAR),
  name: 'trino',
  quotes: { name: '"', plainNames: false, escapes: false, instants: 'with offset' },
  folding: { names: 'unicode', tablesByServer: false },
  systemColumns: ['$path', '$bucket', '$file_size', '$file_modified_time', '$partition', '$row_id', '$properties'],
  names: {
    ...FOREIGN_NAME_RULES,
    outputs: {
      ...createOutputRules('no'),
      orderBy: { bare: 'first', inside: 'first' },
    },
    computed: 'word',
    values: { prefix: '_col', from: 0 },
    sameAliasTwice: true,
  },
  functions: createForeignFunctions(TRINO_FUNCTIONS, { lpad: 1, rpad: 1 }),
  comparesByCasting: false,
  types: TRINO_TYPES,
  operators: new Set(['||', 'at time zone']),
  nullsSort: { said: true, unsaid: 'last' },
  // Each request sets the time zone, the language and the function path in its headers.
  settings: [],
  compiling: trinoCompilerRules,
  // Trino pushes conditions into subqueries unless they have a LIMIT.
  fence: addOptimizationBarrierLimit,
  rewrites: false,
  cases: trinoTestStatements,
};
