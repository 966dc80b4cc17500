import type pg from 'pg';
import { createUnreachableProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import type { Warehouse } from '../../../domain/ports.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import type { QueryRunner } from '../../postgres/warehouse/catalog.ts';
import type { PostgresEngine, RowFetcher } from '../../postgres/warehouse/postgres-engine.ts';
import { redshiftDialect } from '../dialect/dialect.ts';
import { REDSHIFT_FUNCTIONS } from '../dialect/functions.ts';
import { readRedshiftCatalog } from './catalog.ts';

const getCurrentRequestId = enableRequestIds();

const FAULT_CLASSES: readonly (readonly [RegExp, FaultClass])[] = [
  [/divi(?:de|sion) by zero/i, 'division_by_zero'],
  [/overflow|out of range/i, 'out_of_range'],
  [/invalid (?:digit|input|value|date|timestamp)|could not convert/i, 'bad_value'],
  [/single-row subquery returns more than one row/i, 'several_rows'],
  [/not supported/i, 'bad_statement'],
];

export const REDSHIFT_ENGINE: PostgresEngine = {
  dialect: 'redshift',
  sessionSql: [
    ...redshiftDialect.settings.map((setting) => `set ${setting}`),
    'set search_path to public',
    "set datestyle to 'ISO, MDY'",
    'set extra_float_digits to 2',
  ].join('; '),
  beginStatements: (timeoutMs) => [
    'begin read only',
    `set local statement_timeout to ${Math.max(1, Math.trunc(timeoutMs))}`,
    `set local query_group to 'svc ${(getCurrentRequestId() ?? 'upkeep').replace(/[^\w-]/g, '')}'`,
  ],
  endStatements: ['rollback'],
  refuseAmbiguousNames: refuseShadowedBuiltins,
  keepsPrepared: false,
  explain: 'explain',
  readEstimate: ([firstLine = '']) => {
    const [, cost, rows] = /cost=[\d.]+\.\.([\d.]+) rows=(\d+)/.exec(firstLine) ?? [];
    return { rows: rows === undefined ? null : Number(rows), cost: cost === undefined ? null : Number(cost) };
  },
  findFaultClass: (message) => FAULT_CLASSES.find(([pattern]) => pattern.test(message))?.[1],
  catalog: readRedshiftCatalog,
  profile: profileTable,
  versionSql: "select version() as version, 'on' as read_only",
  productName: (version) => /Redshift [\d.]+/.exec(version)?.[0] ?? version.slice(0, 80),
};

/**
 * Refuses a database with functions in `public` that have the names of built-in functions. If a built-in function needs
 * a cast, Redshift prefers a function in `public` whose types match more closely.
 */
async function refuseShadowedBuiltins(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>({
    text: `select distinct p.proname::varchar(128) as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public'`,
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const names = rows.map(({ name }) => name).filter((name) => REDSHIFT_FUNCTIONS.has(name));
  if (names.length === 0) return;
  const listedNames = names.slice(0, 5).join(', ');
  throw createUnreachableProblem(
    null,
    `The schema public of the warehouse has functions with the names of built-in ones: ${listedNames}. Move or drop them.`,
  );
}

const quoteName = (name: string): string => quoteIdentifier('redshift', name);

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: quoteName,
  castToText: (value) => `cast(${value} as varchar(65535))`,
};

/**
 * Profiles a table. svc writes booleans as strings with CASE, because Redshift can neither cast booleans to text nor
 * compare them.
 */
async function profileTable(
  query: QueryRunner,
  rowsOf: RowFetcher,
  ...[table, columns, limits]: Parameters<Warehouse['profile']>
) {
  const catalogTable = (await readRedshiftCatalog(query)).find(
    (item) => item.table === table.table && item.schema === (table.schema ?? 'public'),
  );
  const booleanColumns = new Set(
    catalogTable?.columns.flatMap(({ name, datatype }) => (datatype === 'boolean' ? [name] : [])),
  );
  const displayText = (name: string): string =>
    booleanColumns.has(name)
      ? `case when ${quoteName(name)} then 'true' when not ${quoteName(name)} then 'false' end`
      : quoteName(name);
  return profileFirstRows(
    { ...PROFILE_SYNTAX, comparableColumn: displayText },
    rowsOf,
    { ...table, schema: table.schema ?? 'public' },
    columns,
    limits,
  );
}
