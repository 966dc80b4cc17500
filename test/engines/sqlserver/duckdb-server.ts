// A SQL Server for the tests: sqlglot (translate.py) translates T-SQL, and DuckDB runs it. Text columns ignore case, as
// is usual in SQL Server. The catalog views are those of SQL Server.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import { untilFileEnds } from '../../support/until-file-ends.ts';
import { statementsFor, TEST_TABLES, type TestTable, type ColumnType as TestType, valueText } from '../tables.ts';
import { PYTHON } from './install-sqlserver.ts';
import { type Asked, type Given, NEVER, startTdsServer, TdsError, type TdsServer } from './tds-server.ts';
import type { Column, ColumnType, Value } from './tds-tokens.ts';

const TYPES: Readonly<Record<string, string>> = { text: 'varchar collate nocase', timestamp: 'timestamptz' };
const NATIVE: Readonly<Record<string, string>> = { text: 'nvarchar', timestamp: 'datetimeoffset', double: 'float' };
const nativeType = (type: TestType): string => NATIVE[type] ?? type.replace(/\(.*/, '');

/** The permissions of each login. */
const PERMISSIONS: Readonly<Record<string, string[]>> = {
  svc: ['CONNECT', 'SELECT', 'VIEW ANY COLUMN ENCRYPTION KEY DEFINITION'],
  writer: ['CONNECT', 'SELECT', 'INSERT'],
  owner: ['CONNECT', 'SELECT'],
};

export const PASSWORD = 'Pa55 "wörd"';

/** The user `stranger` sees no table. */
export async function startSqlserver(tables: readonly TestTable[] = TEST_TABLES): Promise<TdsServer> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const sql of preparation(tables)) await connection.run(sql);
  const translator = openTranslator();
  untilFileEnds(() => {
    translator.close();
    connection.closeSync();
    instance.closeSync();
  });
  const server = await startTdsServer(PASSWORD, (asked) => answer(connection, translator.translate, asked));
  return server;
}

function openTranslator() {
  const child = spawn(PYTHON, [fileURLToPath(new URL('translate.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waitingReaders: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waitingReaders.shift()?.(line));
  return {
    async translate(sql: string): Promise<string> {
      const line = await new Promise<string>((resolve) => {
        waitingReaders.push(resolve);
        child.stdin.write(`${JSON.stringify(sql)}\n`);
      });
      const { sql: translatedSql, error } = JSON.parse(line) as { sql?: string; error?: string };
      if (translatedSql === undefined) throw new TdsError(102, `Incorrect syntax: ${error}`);
      return translatedSql;
    },
    close: () => child.kill(),
  };
}

const SCRIPTED = /'svc error (\d+)'/;
async function answer(
  connection: DuckDBConnection,
  translate: (sql: string) => Promise<string>,
  { sql, parameters, user }: Asked,
): Promise<Given | null> {
  const pendingReply = sql.replace(/^SET CONTEXT_INFO @svc;\s*/, '');
  if (/^\s*set /i.test(pendingReply)) return null;
  if (pendingReply.includes("'svc waits'")) return NEVER;
  const number = SCRIPTED.exec(pendingReply)?.[1];
  if (number) throw new TdsError(Number(number), `Conversion failed when converting the value 'secret' (${number}).`);
  const described = /dm_exec_describe_first_result_set/.test(pendingReply);
  const text = described ? String(parameters['p1']) : pendingReply;
  const sqlWithNames = text.replace(/@p(\d+)/g, (_, index: string) =>
    described ? 'null' : `'${String(parameters[`p${index}`]).replaceAll("'", "''")}'`,
  );
  try {
    const visibleSql =
      user === 'stranger' ? sqlWithNames.replaceAll("o.type in ('U', 'V')", "o.type in ('none')") : sqlWithNames;
    const ready = await translate(visibleSql.replaceAll('fn_my_permissions(null', `fn_my_permissions('${user}'`));
    const prepared = await connection.prepare(ready.replaceAll('HAS_PERMS_BY_NAME(', `has_perms_by_name('${user}', `));
    const columns = Array.from(
      { length: prepared.columnCount },
      (_, index): Column => ({
        name: prepared.columnName(index),
        type: typeOf(prepared.columnType(index)),
      }),
    );
    if (described) return descriptionOf(columns);
    const reader = await prepared.runAndReadAll();
    const types = columns.map(({ type }) => type);
    return { columns, rows: reader.getRows().map((row) => row.map((value, index) => wireValue(value, types[index]!))) };
  } catch (error) {
    if (error instanceof TdsError) throw error;
    throw new TdsError(/does not exist/.test(String(error)) ? 208 : 102, (error as Error).message);
  }
}

const NVARCHAR: ColumnType = { name: 'nvarchar' };
function descriptionOf(columns: Column[]): Given {
  const columnType = ({ type }: Column): string =>
    type.name === 'decimal'
      ? `decimal(${type.precision},${type.scale})`
      : type.name === 'nvarchar'
        ? 'nvarchar(max)'
        : type.name;
  return {
    columns: ['name', 'system_type_name', 'error_number', 'error_message'].map((name) => ({
      name,
      type: name === 'error_number' ? { name: 'int' } : NVARCHAR,
    })),
    rows: columns.map((column) => [column.name, columnType(column), null, null]),
  };
}

function typeOf(type: DuckDBType): ColumnType {
  if (type instanceof DuckDBDecimalType) return { name: 'decimal', precision: type.width, scale: type.scale };
  switch (type.typeId) {
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
      return { name: 'int' };
    case DuckDBTypeId.BIGINT:
      return { name: 'bigint' };
    case DuckDBTypeId.HUGEINT:
      return { name: 'decimal', precision: 38, scale: 0 };
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.FLOAT:
      return { name: 'float' };
    case DuckDBTypeId.BOOLEAN:
      return { name: 'bit' };
    case DuckDBTypeId.DATE:
      return { name: 'date' };
    case DuckDBTypeId.TIME:
      return { name: 'time' };
    case DuckDBTypeId.TIMESTAMP:
      return { name: 'datetime2' };
    case DuckDBTypeId.TIMESTAMP_TZ:
      return { name: 'datetimeoffset' };
    default:
      return NVARCHAR;
  }
}

/** Days and microseconds from 0001-01-01 to 1970-01-01. */
const DAYS = 719_162n;
const MICROS = DAYS * 86_400_000_000n;
function wireValue(value: DuckDBValue, { name }: ColumnType): Value {
  if (value === null) return null;
  if (value instanceof DuckDBDateValue) return BigInt(value.days) + DAYS;
  if (value instanceof DuckDBTimeValue) return value.micros * 10n;
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return (value.micros + MICROS) * 10n;
  if (typeof value === 'object' && 'value' in value && typeof value.value === 'bigint') return value.value;
  if (name === 'nvarchar') return String(value);
  return value as bigint | number | boolean;
}

/** Creates the tables, the catalog views, and the views about the current login. */
function preparation(tables: readonly TestTable[]): string[] {
  const object = (index: number): number => 1000 + index;
  const all = <T>(each: (table: TestTable, id: number) => T[]): T[] =>
    tables.flatMap((table, index) => each(table, object(index)));
  const filled = (name: string, columns: string, rows: (string | number | null)[][]): string[] => [
    `create table sys.${name} (${columns})`,
    `insert into sys.${name} values ${rows.map((row) => `(${row.map(valueText).join(', ')})`).join(', ')}`,
  ];
  const types = [...new Set(all(({ columns }) => columns.map(({ type }) => nativeType(type))))];
  const typeId = (type: string): number => types.indexOf(type) + 1;
  const keys = all(({ columns }, id) =>
    columns.flatMap(({ nullable }, place): [number, number][] => (nullable ? [] : [[id, place + 1]])),
  );
  const jobs = object(tables.findIndex(({ name }) => name === 'jobs'));
  const clients = object(tables.findIndex(({ name }) => name === 'clients'));
  return [
    "set timezone = 'UTC'",
    'set integer_division = true',
    'create schema shop',
    'create schema sys',
    'create macro svc_binary(x) as decode(encode(x))',
    'create macro quotename(x) as x',
    "create macro schema_name(x) as 'shop'",
    "create macro db_name() as 'shop'",
    "create macro serverproperty(x) as '16.0.4135.4'",
    "create macro databasepropertyex(x, y) as 'SQL_Latin1_General_CP1_CI_AS'",
    "create macro has_perms_by_name(u, x, y, z) as case when u = 'owner' and z = 'DELETE' then 1 else 0 end",
    `create macro sys.fn_my_permissions(x, y) as table select unnest(case ${Object.entries(PERMISSIONS)
      .map(([user, names]) => `when x = '${user}' and y = 'DATABASE' then [${names.map(valueText).join(', ')}]`)
      .join(' ')} else ['CONNECT SQL', 'VIEW ANY DATABASE'] end) as permission_name`,
    ...filled('schemas', 'schema_id int, name varchar', [[1, 'shop']]),
    ...filled(
      'objects',
      'object_id int, schema_id int, name varchar, type varchar, is_ms_shipped int',
      all(({ name }, id) => [[id, 1, name, 'U', 0]]),
    ),
    ...filled(
      'types',
      'user_type_id int, system_type_id int, name varchar',
      types.map((type) => [typeId(type), typeId(type), type]),
    ),
    ...filled(
      'columns',
      'object_id int, column_id int, name varchar, user_type_id int, system_type_id int, scale int, is_nullable boolean',
      all(({ columns }, id) =>
        columns.map(({ name, type, nullable }, place) => [
          id,
          place + 1,
          name,
          typeId(nativeType(type)),
          typeId(nativeType(type)),
          Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0),
          String(nullable),
        ]),
      ),
    ),
    ...filled(
      'partitions',
      'object_id int, index_id int, rows bigint',
      all(({ rows }, id) => [[id, 1, rows.length]]),
    ),
    ...filled('extended_properties', 'class int, name varchar, major_id int, minor_id int, value varchar', [
      [1, 'MS_Description', jobs, 0, 'One row per job.'],
      [1, 'MS_Description', jobs, 4, 'What it is about.'],
      [1, 'other', jobs, 1, 'not this'],
    ]),
    ...filled(
      'indexes',
      'object_id int, index_id int, is_primary_key boolean, is_unique int, has_filter int, is_disabled int',
      [...new Set(keys.map(([id]) => id))].map((id) => [id, 1, 'true', 1, 0, 0]),
    ),
    ...filled(
      'index_columns',
      'object_id int, index_id int, column_id int, is_included_column int, key_ordinal int',
      keys.map(([id, column]) => [id, 1, column, 0, column]),
    ),
    ...filled(
      'foreign_keys',
      'object_id int, parent_object_id int, name varchar, referenced_object_id int, is_disabled int, is_not_trusted int',
      [
        [1, jobs, 'fk_client', clients, 0, 0],
        [2, jobs, 'fk_untrusted', clients, 0, 1],
      ],
    ),
    ...filled(
      'foreign_key_columns',
      'constraint_object_id int, parent_object_id int, parent_column_id int, referenced_object_id int, referenced_column_id int, constraint_column_id int',
      [
        [1, jobs, 2, clients, 1, 1],
        [2, jobs, 3, clients, 1, 1],
      ],
    ),
    `create macro object_id(x) as (select object_id from sys.objects where x = concat('"shop"."', name, '"'))`,
    ...statementsFor(
      {
        table: (name) => `shop.${name}`,
        type: (type) => TYPES[type] ?? type,
        value: (cell, type) => (type === 'timestamp' && cell !== null ? `'${cell}+00'` : valueText(cell)),
      },
      tables,
    ),
  ];
}
