// The dialect of Redshift. svc has no test on a real cluster, so it refuses SQL whose behavior Redshift's documentation
// doesn't specify.
import type { Dialect } from '../../../dialects/dialect.ts';
import { createForeignFunctions } from '../../../dialects/foreign/foreign.ts';
import { postgresDialect } from '../../postgres/dialect/dialect.ts';
import { redshiftTestStatements } from './cases.ts';
import { redshiftCompilerRules } from './compiling.ts';
import { REDSHIFT_FUNCTIONS, REDSHIFT_OPERATORS, REDSHIFT_TYPES } from './functions.ts';
import { readRedshift } from './read.ts';
import { listRedshiftTexts, writeRedshift, writeRedshiftExpression } from './write.ts';

export const redshiftDialect: Dialect = {
  ...postgresDialect,
  name: 'redshift',
  ownTables: /^(?:pg_|st[lv]_|sv[lv]_|svcs_|sys_|padb_)/i,
  systemColumns: [...postgresDialect.systemColumns, 'insertxid', 'deletexid'],
  // A name in the select list can also refer to an alias in the same list.
  names: { ...postgresDialect.names, outputs: { ...postgresDialect.names.outputs, items: 'also' } },
  // Function names need no schema, because svc refuses a `public` schema that has a function with a built-in function's
  // name.
  functions: createForeignFunctions(REDSHIFT_FUNCTIONS, { repeat: 1, lpad: 1, rpad: 1 }),
  types: REDSHIFT_TYPES,
  operators: REDSHIFT_OPERATORS,
  settings: ['enable_case_sensitive_identifier to true', "timezone to 'UTC'"],
  compiling: redshiftCompilerRules,
  fence: null,
  rewrites: true,
  read: readRedshift,
  write: writeRedshift,
  writeExpression: writeRedshiftExpression,
  texts: listRedshiftTexts,
  cases: redshiftTestStatements,
};
