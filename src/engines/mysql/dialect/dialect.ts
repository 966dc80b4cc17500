// MySQL and MariaDB. svc has no exact parser for them, so the generic parser reads them and proves the result.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import { foreignDialect } from '../../../dialects/foreign/foreign.ts';
import { numberOf } from '../../../dialects/make-nodes.ts';
import { mysqlCases } from './cases.ts';
import { mysqlCompiling } from './compiling.ts';
import { MYSQL_FUNCTIONS } from './functions.ts';
import { MYSQL_GRAMMAR } from './grammar.ts';

/** MySQL accepts 2^64 - 1, but every reader of numbers keeps this one exact. */
const ALL_ROWS = '9007199254740991';
const BOUNDS: readonly (readonly [string, CallBound])[] = [
  ['repeat', { kind: 'length', argument: 1 }],
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
  ['substring_index', { kind: 'arguments', count: 3 }],
];

export const mysql: Dialect = {
  name: 'mysql',
  quotes: { name: '`', plainNames: false, escapes: false, instants: 'in utc' },
  folding: { names: 'unicode', tablesByServer: true },
  defaultSchema: '',
  catalogAsSchema: false,
  ownTables: /(?!)/,
  systemColumns: ['_rowid'],
  names: {
    wholeRow: 'never',
    structPaths: false,
    outputs: {
      items: 'no',
      where: 'no',
      groupBy: { bare: 'also', inside: 'also' },
      having: 'also',
      qualify: 'no',
      windows: 'no',
      distinctOn: { bare: 'no', inside: 'no' },
      orderBy: { bare: 'also', inside: 'also' },
      limit: 'no',
    },
    output: (value) => (value.kind === 'column' ? (value.path.at(-1) ?? '') : ''),
    computed: 'source text',
    values: { prefix: 'column_', from: 0 },
    valuesAlias: '',
    lateral: 'written',
    sameAliasTwice: false,
    nameStays: false,
  },
  functions: {
    list: MYSQL_FUNCTIONS,
    schemas: new Set(),
    builtin: null,
    bounds: new Map(BOUNDS),
    callsNamed: new Map(),
    inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
  },
  comparesByCasting: true,
  types: new Set('signed unsigned char date time datetime decimal double float'.split(' ')),
  operators: new Set(),
  endsOfSets: true,
  computedLimit: false,
  nullsSort: { said: false, unsaid: 'as least' },
  budgets: { deepest: 200, tokensHere: 250 },
  // NO_BACKSLASH_ESCAPES without ANSI_QUOTES matches how svc reads strings and names; ONLY_FULL_GROUP_BY
  // refuses values of an arbitrary row; quotients keep their digits.
  settings: [
    `sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'`,
    `time_zone = '+00:00'`,
    'div_precision_increment = 12',
    'group_concat_max_len = 1048576',
    'sql_select_limit = 18446744073709551615',
    'lock_wait_timeout = 5',
  ],
  compiling: mysqlCompiling,
  fence: (body) => ({ ...body, limit: numberOf(ALL_ROWS) }),
  rewrites: false,
  apart: () => false,
  ...foreignDialect(MYSQL_GRAMMAR),
  cases: mysqlCases,
};
