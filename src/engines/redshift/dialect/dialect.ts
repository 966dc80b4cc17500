// Redshift as an extension of the PostgreSQL dialect. It wasn't tested on a real Redshift; behavior that its
// documentation leaves open is refused.
import type { CallBound, Dialect } from '../../../dialects/dialect.ts';
import { postgres } from '../../postgres/dialect/dialect.ts';
import { redshiftCases } from './cases.ts';
import { redshiftCompiling } from './compiling.ts';
import { REDSHIFT_FUNCTIONS, REDSHIFT_OPERATORS, REDSHIFT_TYPES } from './functions.ts';
import { readRedshift } from './read.ts';
import { textsOfRedshift, writeRedshift, writeRedshiftExpression } from './write.ts';

const BOUNDS: ReadonlyMap<string, CallBound> = new Map([
  ['repeat', { kind: 'length', argument: 1 }],
  ['lpad', { kind: 'length', argument: 1 }],
  ['rpad', { kind: 'length', argument: 1 }],
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
]);

export const redshift: Dialect = {
  ...postgres,
  name: 'redshift',
  ownTables: /^(?:pg_|st[lv]_|sv[lv]_|svcs_|sys_|padb_)/i,
  systemColumns: [...postgres.systemColumns, 'insertxid', 'deletexid'],
  // A name can also mean an alias in the same select list.
  names: { ...postgres.names, outputs: { ...postgres.names.outputs, items: 'also' } },
  functions: {
    list: REDSHIFT_FUNCTIONS,
    schemas: new Set(),
    // Sessions are refused if the schema public has a function with such a name.
    builtin: null,
    bounds: BOUNDS,
    callsNamed: new Map(),
    inFrom: { columns: new Map(), only: true, alias: 'names', perArgument: new Set() },
  },
  types: REDSHIFT_TYPES,
  operators: REDSHIFT_OPERATORS,
  settings: ['enable_case_sensitive_identifier to true', "timezone to 'UTC'"],
  compiling: redshiftCompiling,
  fence: null,
  rewrites: true,
  read: readRedshift,
  write: writeRedshift,
  writeExpression: writeRedshiftExpression,
  texts: textsOfRedshift,
  cases: redshiftCases,
};
