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
    // In the select list, a name that isn't a column can refer to an alias of the same list.
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
  // If a user-defined function has the same name as a built-in function, Databricks calls the built-in function.
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
