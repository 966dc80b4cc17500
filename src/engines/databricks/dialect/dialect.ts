// The dialect of Databricks (Spark SQL). The generic parser reads the SQL, and svc checks each parsed tree against the
// SQL.
import type { Dialect } from '../../../dialects/dialect.ts';
import {
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { databricksTestStatements } from './cases.ts';
import { databricksCompilerRules } from './compiling.ts';
import { DATABRICKS_FUNCTIONS } from './functions.ts';
import { DATABRICKS_GRAMMAR, DATABRICKS_TYPES } from './grammar.ts';

export const databricksDialect: Dialect = {
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
      ...createOutputRules('no'),
      items: 'also',
      groupBy: { bare: 'also', inside: 'also' },
      having: 'also',
      windows: 'also',
      orderBy: { bare: 'first', inside: 'first' },
    },
    computed: 'own text',
    values: { prefix: 'col', from: 1 },
    sameAliasTwice: true,
  },
  // If a function in a schema has the name of a built-in function, Databricks calls the built-in function.
  functions: createForeignFunctions(DATABRICKS_FUNCTIONS, { repeat: 1, space: 0, lpad: 1, rpad: 1 }),
  comparesByCasting: true,
  types: DATABRICKS_TYPES,
  operators: new Set(['||']),
  nullsSort: { said: true, unsaid: 'as least' },
  settings: ['TIMEZONE = UTC', 'ANSI_MODE = true'],
  compiling: databricksCompilerRules,
  fence: null,
  rewrites: true,
  cases: databricksTestStatements,
};
