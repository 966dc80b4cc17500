// The dialect of Databricks (Spark SQL). The generic parser reads the SQL, and svc checks each parsed tree against the
// SQL.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import { createForeignDialect, createForeignFunctions, FOREIGN_NAME_RULES } from '../../../dialects/foreign/foreign.ts';
import { databricksCases } from './cases.ts';
import { databricksCompiling } from './compiling.ts';
import { DATABRICKS_FUNCTIONS } from './functions.ts';
import { DATABRICKS_GRAMMAR, DATABRICKS_TYPES } from './grammar.ts';

const CALL_BOUNDS: readonly (readonly [string, CallBound])[] = [
  ['repeat', { kind: 'length', argument: 1 }],
  ['space', { kind: 'length', argument: 0 }],
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
];

export const databricks: Dialect = {
  ...createForeignDialect(DATABRICKS_GRAMMAR),
  name: 'databricks',
  quotes: { name: '`', plainNames: false, escapes: false, instants: 'in utc' },
  folding: { names: 'unicode', tablesByServer: false },
  systemColumns: ['_metadata'],
  names: {
    ...FOREIGN_NAME_RULES,
    // A name in the select list refers to a column. If no column has the name, it can refer to an alias in the same
    // list.
    outputs: {
      items: 'also',
      where: 'no',
      groupBy: { bare: 'also', inside: 'also' },
      having: 'also',
      qualify: 'no',
      windows: 'also',
      distinctOn: { bare: 'no', inside: 'no' },
      orderBy: { bare: 'first', inside: 'first' },
      limit: 'no',
    },
    computed: 'own text',
    values: { prefix: 'col', from: 1 },
    sameAliasTwice: true,
  },
  // If a function in a schema has the name of a built-in function, Databricks calls the built-in one.
  functions: createForeignFunctions(DATABRICKS_FUNCTIONS, CALL_BOUNDS),
  comparesByCasting: true,
  types: DATABRICKS_TYPES,
  operators: new Set(['||']),
  endsOfSets: true,
  nullsSort: { said: true, unsaid: 'as least' },
  settings: ['TIMEZONE = UTC', 'ANSI_MODE = true'],
  compiling: databricksCompiling,
  fence: null,
  rewrites: true,
  cases: databricksCases,
};
