// The dialect of SQL Server. svc has no test on a real SQL Server, so it refuses SQL whose behavior the documentation
// doesn't specify.
import type { Dialect } from '../../../dialects/dialect.ts';
import {
  createForeignDialect,
  createForeignFunctions,
  createOutputRules,
  FOREIGN_NAME_RULES,
} from '../../../dialects/foreign/foreign.ts';
import { sqlserverTestStatements } from './cases.ts';
import { sqlserverCompilerRules } from './compiling.ts';
import { SQLSERVER_FUNCTIONS } from './functions.ts';
import { SQLSERVER_GRAMMAR, SQLSERVER_TYPES } from './grammar.ts';
import { readSqlserver } from './read.ts';
import { writeSqlserver, writeSqlserverExpression } from './write.ts';

/** Matches compatibility views, which have the names that SQL Server's system tables had in old versions. */
const COMPATIBILITY_VIEW_PATTERN =
  /^sys(?:altfiles|cacheobjects|charsets|columns|comments|configures|constraints|curconfigs|databases|depends|devices|filegroups|files|foreignkeys|fulltextcatalogs|indexes|indexkeys|languages|lockinfo|locks|logins|members|messages|objects|oledbusers|perfinfo|permissions|processes|protects|references|remotelogins|segments|servers|types|users)$/i;

export const sqlserverDialect: Dialect = {
  ...createForeignDialect(SQLSERVER_GRAMMAR),
  name: 'sqlserver',
  quotes: { name: '"', plainNames: false, escapes: false, instants: 'in utc' },
  // svc ignores the letter case of names, because it refuses a database whose collation is case-sensitive.
  folding: { names: 'unicode', tablesByServer: false },
  ownTables: COMPATIBILITY_VIEW_PATTERN,
  systemColumns: ['$rowguid', '$identity', '$partition'],
  names: {
    ...FOREIGN_NAME_RULES,
    // ORDER BY accepts an alias as the whole sort key but not inside an expression.
    outputs: {
      ...createOutputRules('no'),
      orderBy: { bare: 'first', inside: 'no' },
    },
    computed: 'source text',
    values: { prefix: 'column', from: 1 },
    sameAliasTwice: false,
  },
  // User-defined functions can't replace these functions, because they always need their schema.
  functions: createForeignFunctions(SQLSERVER_FUNCTIONS, { replicate: 1, space: 0 }),
  comparesByCasting: true,
  types: SQLSERVER_TYPES,
  operators: new Set(['at time zone']),
  nullsSort: { said: false, unsaid: 'as least' },
  // svc sets these options, because the login or the database can have other settings, which change the meaning of a
  // statement.
  settings: [
    'QUOTED_IDENTIFIER ON',
    'ANSI_NULLS ON',
    'ANSI_PADDING ON',
    'ANSI_WARNINGS ON',
    'ARITHABORT ON',
    'CONCAT_NULL_YIELDS_NULL ON',
    'NUMERIC_ROUNDABORT OFF',
    'LANGUAGE us_english',
    'DATEFIRST 7',
    'DATEFORMAT mdy',
    'ROWCOUNT 0',
    'TEXTSIZE 2147483647',
    'TRANSACTION ISOLATION LEVEL READ COMMITTED',
    'LOCK_TIMEOUT 5000',
    'DEADLOCK_PRIORITY LOW',
  ],
  compiling: sqlserverCompilerRules,
  fence: null,
  rewrites: true,
  read: readSqlserver,
  write: writeSqlserver,
  writeExpression: writeSqlserverExpression,
  cases: sqlserverTestStatements,
};
