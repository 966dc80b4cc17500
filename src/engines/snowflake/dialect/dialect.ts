import type { Dialect } from '../../../dialects/dialect.ts';
import {
  addOptimizationBarrierLimit,
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { snowflakeTestStatements } from './cases.ts';
import { snowflakeCompilerRules } from './compiling.ts';
import { SNOWFLAKE_FUNCTIONS } from './functions.ts';
import { SNOWFLAKE_GRAMMAR, SNOWFLAKE_TYPES } from './grammar.ts';

export const snowflakeDialect: Dialect = {
  ...createForeignDialect(SNOWFLAKE_GRAMMAR),
  name: 'snowflake',
  quotes: { name: '"', plainNames: false, escapes: false, instants: 'in utc' },
  folding: { names: 'read from capitals', tablesByServer: false },
  systemColumns: [
    'metadata$filename',
    'metadata$file_row_number',
    'metadata$file_content_key',
    'metadata$file_last_modified',
    'metadata$start_scan_time',
    'metadata$action',
    'metadata$isupdate',
    'metadata$row_id',
  ],
  names: {
    ...FOREIGN_NAME_RULES,
    // A column takes precedence over an alias, except in ORDER BY.
    outputs: {
      ...createOutputRules('also'),
      distinctOn: { bare: 'no', inside: 'no' },
      orderBy: { bare: 'first', inside: 'also' },
      limit: 'no',
    },
    computed: 'source text',
    values: { prefix: 'column', from: 1 },
    sameAliasTwice: false,
  },
  functions: createForeignFunctions(SNOWFLAKE_FUNCTIONS, { repeat: 1, space: 0, lpad: 1, rpad: 1 }),
  comparesByCasting: true,
  types: SNOWFLAKE_TYPES,
  operators: new Set(['||']),
  nullsSort: { said: true, unsaid: 'as greatest' },
  // svc sends these settings with each statement, because the account, the login or the session can have other values.
  settings: [
    "TIMEZONE = 'UTC'",
    "TIMESTAMP_TYPE_MAPPING = 'TIMESTAMP_NTZ'",
    'WEEK_START = 1',
    'WEEK_OF_YEAR_POLICY = 0',
    'TWO_DIGIT_CENTURY_START = 1970',
    "DEFAULT_NULL_ORDERING = 'LAST'",
    'QUOTED_IDENTIFIERS_IGNORE_CASE = false',
    "DATE_INPUT_FORMAT = 'AUTO'",
    "TIME_INPUT_FORMAT = 'AUTO'",
    "TIMESTAMP_INPUT_FORMAT = 'AUTO'",
    "DATE_OUTPUT_FORMAT = 'YYYY-MM-DD'",
    "TIME_OUTPUT_FORMAT = 'HH24:MI:SS.FF'",
    "TIMESTAMP_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF TZHTZM'",
    "TIMESTAMP_NTZ_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF'",
    "TIMESTAMP_LTZ_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF TZHTZM'",
    "TIMESTAMP_TZ_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF TZHTZM'",
    'ROWS_PER_RESULTSET = 0',
    'MULTI_STATEMENT_COUNT = 1',
  ],
  compiling: snowflakeCompilerRules,
  // Snowflake pushes conditions into subqueries unless they have a LIMIT.
  fence: addOptimizationBarrierLimit,
  rewrites: false,
  cases: snowflakeTestStatements,
};
