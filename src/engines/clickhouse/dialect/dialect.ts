import type { Dialect } from '../../../dialects/dialect.ts';
import {
  addOptimizationBarrierLimit,
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { clickhouseTestStatements } from './cases.ts';
import { clickhouseCompilerRules } from './compiling.ts';
import { CLICKHOUSE_FUNCTIONS } from './functions.ts';
import { CLICKHOUSE_GRAMMAR, CLICKHOUSE_TYPES } from './grammar.ts';

const LENGTH_FUNCTIONS = { repeat: 1, leftPad: 1, rightPad: 1, leftPadUTF8: 1, rightPadUTF8: 1 };

export const clickhouseDialect: Dialect = {
  ...createForeignDialect(CLICKHOUSE_GRAMMAR),
  name: 'clickhouse',
  quotes: { name: '`', plainNames: false, escapes: false, instants: 'in utc' },
  folding: { names: 'read', tablesByServer: false },
  systemColumns: ['_part', '_partition_id', '_sample_factor'],
  names: {
    ...FOREIGN_NAME_RULES,
    // Every clause can refer to an alias. With svc's settings, a column takes precedence over an alias with the same
    // name.
    outputs: createOutputRules('also'),
    computed: 'own text',
    values: { prefix: 'c', from: 1 },
    sameAliasTwice: false,
    nameStays: true,
  },
  functions: createForeignFunctions(CLICKHOUSE_FUNCTIONS, LENGTH_FUNCTIONS),
  comparesByCasting: false,
  types: CLICKHOUSE_TYPES,
  operators: new Set(['||']),
  nullsSort: { said: true, unsaid: 'last' },
  // These settings override the login's profile. As in standard SQL, missing values are null, results are complete or
  // fail, and columns take precedence over aliases.
  settings: [
    "session_timezone = 'UTC'",
    'join_use_nulls = 1',
    'aggregate_functions_null_for_empty = 1',
    'cast_keep_nullable = 1',
    'group_by_use_nulls = 1',
    'transform_null_in = 0',
    'prefer_column_name_to_alias = 1',
    'enable_positional_arguments = 1',
    'enable_extended_results_for_datetime_functions = 1',
    ...['union', 'intersect', 'except'].map((setOperator) => `${setOperator}_default_mode = 'DISTINCT'`),
    "join_default_strictness = 'ALL'",
    'any_join_distinct_right_table_keys = 0',
    "count_distinct_implementation = 'uniqExact'",
    'decimal_check_overflow = 1',
    // This optimization would move the cast that prevents overflow out of a sum.
    'optimize_arithmetic_operations_in_aggregate_functions = 0',
    'empty_result_for_aggregation_by_empty_set = 0',
    'skip_unavailable_shards = 0',
    'extremes = 0',
    'limit = 0',
    'offset = 0',
    ...['read', 'group_by', 'sort', 'result', 'timeout', 'set', 'join', 'transfer', 'distinct'].map(
      (operation) => `${operation}_overflow_mode = 'throw'`,
    ),
  ],
  compiling: clickhouseCompilerRules,
  fence: addOptimizationBarrierLimit,
  rewrites: true,
  cases: clickhouseTestStatements,
};
