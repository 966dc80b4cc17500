import type { Dialect } from '../../../dialects/dialect.ts';
import {
  addOptimizationBarrierLimit,
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { mysqlTestStatements } from './cases.ts';
import { mysqlCompilerRules } from './compiling.ts';
import { MYSQL_FUNCTIONS } from './functions.ts';
import { MYSQL_GRAMMAR } from './grammar.ts';

export const mysqlDialect: Dialect = {
  ...createForeignDialect(MYSQL_GRAMMAR),
  name: 'mysql',
  quotes: { name: '`', plainNames: false, escapes: false, instants: 'in utc' },
  folding: { names: 'unicode', tablesByServer: true },
  systemColumns: ['_rowid'],
  names: {
    ...FOREIGN_NAME_RULES,
    outputs: {
      ...createOutputRules('no'),
      groupBy: { bare: 'also', inside: 'also' },
      having: 'also',
      orderBy: { bare: 'also', inside: 'also' },
    },
    computed: 'source text',
    values: { prefix: 'column_', from: 0 },
    sameAliasTwice: false,
  },
  functions: createForeignFunctions(MYSQL_FUNCTIONS, { repeat: 1, lpad: 1, rpad: 1 }, [
    ['substring_index', { kind: 'arguments', count: 3 }],
  ]),
  comparesByCasting: true,
  types: new Set('signed unsigned char date time datetime decimal double float'.split(' ')),
  operators: new Set(),
  nullsSort: { said: false, unsaid: 'as least' },
  // With NO_BACKSLASH_ESCAPES and without ANSI_QUOTES, the server reads strings and names as svc does. With
  // ONLY_FULL_GROUP_BY, the server refuses columns whose value would come from an arbitrary row.
  // div_precision_increment sets the decimal places of quotients.
  settings: [
    `sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'`,
    `time_zone = '+00:00'`,
    'div_precision_increment = 12',
    'group_concat_max_len = 1048576',
    'sql_select_limit = 18446744073709551615',
    'lock_wait_timeout = 5',
  ],
  compiling: mysqlCompilerRules,
  fence: addOptimizationBarrierLimit,
  rewrites: false,
  cases: mysqlTestStatements,
};
