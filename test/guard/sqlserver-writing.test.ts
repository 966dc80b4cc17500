// Expressions of other engines without a T-SQL equivalent, as the compiler builds them and as svc writes them for SQL
// Server.
import { expect, it } from 'vitest';
import { findDialect } from '../../src/dialects/dialects.ts';
import {
  callOf,
  columnOf,
  compare,
  derivedOf,
  EMPTY_TAIL,
  exists,
  isNull,
  itemOf,
  literalOf,
  numberOf,
  selectOf,
  tableOf,
  textOf,
} from '../../src/dialects/make-nodes.ts';
import type { CommonTable, Expression, Query, Select } from '../../src/dialects/tree.ts';
import { limitToFirstRows } from '../../src/plan/sql/limit-to-first-rows.ts';
import { treeOf } from '../support/round-trip.ts';

const { write, writeExpression, texts, compiling } = findDialect('sqlserver');
const rows = (overrides: Partial<Select> = {}): Select => selectOf([itemOf(columnOf('a'))], [tableOf('t')], overrides);
const key = (value: Expression) => ({ value, direction: null, nulls: null });
const entry = (name: string, query: Query): CommonTable => ({ name, columns: [], materialized: null, query, at: null });
const withEntries = (...entries: CommonTable[]) => ({ with: { recursive: false, entries } });

it('writes a condition used as a value as a bit, and a bit used as a condition as a comparison', () => {
  const condition = compare(columnOf('a'), '>', numberOf(1));
  expect(writeExpression(isNull(columnOf('a')))).toBe('"a" IS NULL');
  expect(write(selectOf([itemOf(isNull(columnOf('a')), 'n')], [tableOf('t')]))).toBe(
    'SELECT CAST(CASE WHEN "a" IS NULL THEN 1 ELSE 0 END AS bit) AS "n" FROM "t"',
  );
  expect(write(selectOf([itemOf(condition, 'n')], [tableOf('t')], { where: columnOf('keeps') }))).toBe(
    'SELECT CAST(CASE WHEN "a" > 1 THEN 1 ELSE CASE WHEN NOT ("a" > 1) THEN 0 END END AS bit) AS "n" FROM "t" WHERE "keeps" = CAST(1 AS bit)',
  );
  expect(writeExpression(compare(columnOf('open'), '=', literalOf('boolean', 'false')))).toBe(
    '"open" = CAST(0 AS bit)',
  );
});

it('writes GROUP BY positions as expressions, and refuses expressions that SQL Server can’t group by', () => {
  const year = callOf('year', [columnOf('d')]);
  const groupedQuery = (value: Expression): Query =>
    selectOf([itemOf(value, 'g')], [tableOf('t')], { groupBy: { all: false, distinct: false, keys: [numberOf(1)] } });
  expect(write(groupedQuery(year))).toBe('SELECT year("d") AS "g" FROM "t" GROUP BY year("d")');
  expect(() => write(groupedQuery(exists(rows())))).toThrow('GROUP BY the result of a subquery');
  expect(() => write(selectOf([itemOf(callOf('sum', [exists(rows())]))], []))).toThrow('an aggregate over');
});

it('moves WITH out of subqueries, each entry under a unique name', () => {
  const limitedQuery = (limit: number): Query =>
    rows({ ...withEntries(entry('x', rows({ limit: numberOf(limit) }))), from: [tableOf('x')] });
  const outerQuery = selectOf([itemOf(columnOf('x', 'a'))], [tableOf('x'), derivedOf(limitedQuery(2), 'y')], {
    ...withEntries(entry('x', selectOf([itemOf(columnOf('a'))], [derivedOf(limitedQuery(1), 'z')]))),
  });
  expect(write(outerQuery)).toBe(
    'WITH "x" AS (SELECT TOP (1) "a" FROM "t"), "x_2" AS (SELECT "a" FROM (SELECT "a" FROM "x") AS "z"), "x_3" AS (SELECT TOP (2) "a" FROM "t") SELECT "x"."a" FROM "x_2" AS "x", (SELECT "a" FROM "x_3" AS "x") AS "y"',
  );
});

it('limits and orders in an outer query where TOP and DISTINCT can’t', async () => {
  const set: Query = {
    ...EMPTY_TAIL,
    kind: 'set',
    operator: 'union',
    all: true,
    byName: false,
    left: rows(),
    right: rows(),
  };
  const limitedSet = write({ ...set, orderBy: [key(columnOf('a'))], limit: numberOf(3), offset: numberOf(2) });
  expect(limitedSet).toBe(
    'SELECT * FROM (SELECT "a" FROM "t" UNION ALL SELECT "a" FROM "t") AS "svc_all_rows" ORDER BY "a" OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY',
  );
  expect(await treeOf(findDialect('sqlserver'), limitedSet)).toMatchObject({
    kind: 'set',
    limit: { value: '3' },
    offset: { value: '2' },
  });
  const distinct = rows({ distinct: { on: [] }, limit: numberOf(3) });
  expect(write({ ...distinct, orderBy: [key(columnOf('a'))] })).toBe(
    'SELECT DISTINCT TOP (3) "a" FROM "t" ORDER BY "a"',
  );
  expect(write({ ...distinct, orderBy: [key(isNull(columnOf('a'))), key(columnOf('a'))] })).toBe(
    'SELECT TOP (3) "a" FROM (SELECT DISTINCT "a" FROM "t") AS "svc_distinct_rows" ORDER BY CAST(CASE WHEN "a" IS NULL THEN 1 ELSE 0 END AS bit), "a"',
  );
  expect(() => write(rows({ limit: numberOf(1), offset: numberOf(1) }))).toThrow();
  expect(await limitToFirstRows('sqlserver', 'select a from t group by a having count(*) > 1', 1)).toBe(
    'SELECT TOP (1) "a" FROM "t" GROUP BY "a" HAVING count_big(*) > 1',
  );
});

it('escapes brackets in a text search, and ignores trailing spaces at the end of a value', () => {
  const textSearchSql = (pattern: string, escaped = false): string =>
    writeExpression(compiling.like(columnOf('a'), textOf(pattern), false, escaped));
  expect(textSearchSql('%x[1]%')).toBe(`"a" LIKE N'%x\\[1]%' ESCAPE N'\\'`);
  expect(textSearchSql('%x')).toBe(`rtrim("a") LIKE N'%x'`);
  expect(textSearchSql('%5\\%', true)).toBe(`rtrim("a") LIKE N'%5\\%' ESCAPE N'\\'`);
  expect(textSearchSql('x%')).toBe(`"a" LIKE N'x%'`);
});

it('keeps a backslash at the end of a line, which SQL Server would remove', () => {
  for (const text of ['a\\\nb', 'a\\\r\nb', '\\\\\n\\', "it's\\\n"]) {
    const writtenText = writeExpression(textOf(text));
    // The text as SQL Server reads it.
    expect(
      writtenText
        .slice(2, -1)
        .replaceAll("''", "'")
        .replace(/\\\r?\n/g, ''),
    ).toBe(text);
    expect(texts(writtenText)).toEqual([text]);
  }
});

it('converts instants to days with the Windows name of a time zone, and refuses an unknown zone', () => {
  const day = (zone: string): string =>
    writeExpression(compiling.truncate('day', columnOf('at'), 'datetimetz', textOf(zone)));
  expect(day('Europe/Paris')).toBe(
    `CAST(CAST(CAST("at" AS datetimeoffset) AT TIME ZONE N'Romance Standard Time' AS datetime2) AS date)`,
  );
  expect(day('UTC')).toContain("AT TIME ZONE N'UTC'");
  expect(() => day('Mars/Phobos')).toThrow('has no time zone for Mars/Phobos');
});
