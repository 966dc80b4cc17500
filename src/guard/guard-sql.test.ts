import { describe, expect, it } from 'vitest';
import { statementRows } from '../../test/support/case-rows.ts';
import { shopScope } from '../../test/support/guard-scopes.ts';
import { mysqlShopScope } from '../../test/support/mysql-scope.ts';
import { findDialect } from '../dialects/dialects.ts';
import { FaultCollector } from '../dialects/fault-collector.ts';
import { columnOf, compare, itemOf, selectOf, tableOf } from '../dialects/make-nodes.ts';
import { toConstant } from '../dialects/nodes.ts';
import { Problem } from '../platform/problem.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';
import { createConstant } from './literals.ts';

async function getRefusalCodes(sql: string, scope: GuardScope): Promise<string[]> {
  try {
    await guardSql(sql, scope);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('guard_refused');
    expect(error.details.length).toBeGreaterThan(0);
    return error.details.map(({ code }) => code);
  }
}
const postgresScope = shopScope('postgres');
const duckdbScope = shopScope('duckdb');

const SCOPES: Record<string, GuardScope> = { postgres: postgresScope, duckdb: duckdbScope, mysql: mysqlShopScope() };
const ROWS = statementRows(import.meta.dirname, 'refused-statements.test.tsv').flatMap(({ expected, engines, sql }) => {
  const [rule, ...codes] = expected.split(' ') as [string, ...string[]];
  return engines.map((engine) => ({ rule, codes, engine, sql }));
});
const RULES = [...new Set(ROWS.map(({ rule, engine }) => `${rule} ${engine}`))].map((item) => item.split(' '));

/** The statements that the guard doesn't refuse with one of the expected codes, each with its errors. */
async function findWrong(rows: { codes?: string[]; sql: string }[], scope: GuardScope): Promise<string[]> {
  const wrong: string[] = [];
  for (const { codes, sql } of rows) {
    const foundCodes = await getRefusalCodes(sql, scope);
    if (!(codes ?? foundCodes).some((code) => foundCodes.includes(code)))
      wrong.push(`${scope.mode}: ${sql}: ${foundCodes.join(' ') || 'allowed'}`);
  }
  return wrong;
}
async function expectAllRefused(statements: string[]): Promise<void> {
  for (const scope of [postgresScope, duckdbScope])
    for (const mode of ['govern', 'verify'] as const)
      expect(
        await findWrong(
          statements.map((sql) => ({ sql })),
          { ...scope, mode },
        ),
        scope.dialect,
      ).toEqual([]);
}

describe('the guard refuses', () => {
  it.each(RULES)('the statements of the rule %s on %s', async (rule, engine) => {
    const rows = ROWS.filter((row) => row.rule === rule && row.engine === engine);
    const modes = rule!.startsWith('G') ? (['govern', 'verify'] as const) : (['govern'] as const);
    for (const mode of modes) expect(await findWrong(rows, { ...SCOPES[engine!]!, mode })).toEqual([]);
  });

  it('G02 a statement without content', () => expectAllRefused(['', ';']));

  it('G10 G13 an unknown name, with the nearest known one', async () => {
    await expect(guardSql('select region from orderz', postgresScope)).rejects.toThrow(/orderz.*orders/);
    await expect(guardSql('select regoin from orders', duckdbScope)).rejects.toThrow(/regoin.*region/);
  });

  it.each([postgresScope, duckdbScope])(
    'G11 a CTE with the name of a table that a row policy reads: $dialect',
    async (scope) => {
      const policy = 'region in (select region from allowed)';
      const policyScope = shopScope(scope.dialect as 'postgres' | 'duckdb', { policy });
      const sql = "with allowed as (select 'East' as region) select count(*) from orders";
      expect(await getRefusalCodes(sql, policyScope)).toEqual(['cte_name']);
    },
  );

  it('G14 G15 statements that are too large', async () => {
    await expectAllRefused([
      `select ${'('.repeat(300)}1${')'.repeat(300)}`,
      `select '${'a'.repeat(100_001)}'`,
      `select 1${'+1'.repeat(3000)}`,
      `select 1 where 1 in (${Array(15_000).fill('1').join(',')})`,
      `select ${'not '.repeat(20_000)} true`,
    ]);
    const sum = `select ${'sales + '.repeat(250)}1 from orders`;
    expect(await getRefusalCodes(sum, SCOPES['mysql']!)).toContain('too_deep');
  });

  it('G15 no series and no cube within its limits', async () => {
    const cube = Array.from({ length: 8 }, (_, n) => `row_id + ${n}`).join(', ');
    expect(await getRefusalCodes(`select count(*) from orders group by cube (${cube})`, duckdbScope)).toEqual([]);
    const days = (step: string) => `select * from generate_series(date '2016-01-01', date '2017-01-01', ${step}) g`;
    for (const step of ['to_months(1)', 'to_hours(12)', 'interval 1 month', "interval '2 days'"])
      expect([step, await getRefusalCodes(days(step), duckdbScope)]).toEqual([step, []]);
  });

  it('G16 text that parsers and engines read differently', async () => {
    await expectAllRefused([
      'select 1\u0000; drop table orders',
      '\ufeffselect 1',
      'select 1 \ud800',
      'select \u0007 1',
    ]);
    expect(await getRefusalCodes('select 1\u0000', SCOPES['mysql']!)).toContain('control_character');
  });

  it('a statement with several faults, and names all of them with their constructs', async () => {
    const sql = "select card_number, pg_sleep(1), 'x'::regclass from orders, secret";
    const foundCodes = await getRefusalCodes(sql, postgresScope);
    expect(new Set(foundCodes)).toEqual(new Set(['column', 'function', 'type', 'table']));
    await expect(guardSql(sql, postgresScope)).rejects.toMatchObject({ status: 422 });
  });

  it('G23 a table of another lens on the same connection', async () => {
    const [orders, customers] = postgresScope.relations;
    const ordersScope = { ...postgresScope, relations: [orders!] };
    const customersScope = { ...postgresScope, relations: [customers!] };
    expect(await getRefusalCodes('select city from customers', ordersScope)).toEqual(['table', 'column']);
    expect(await getRefusalCodes('select city from customers', customersScope)).toEqual([]);
  });
});

describe('the statement that runs', () => {
  it('G14 has a limit of one row more than svc’s limit, regardless of the limit in the text', async () => {
    const getGovernedSql = async (sql: string, scope: GuardScope) => (await guardSql(sql, scope)).runs;
    for (const scope of [postgresScope, duckdbScope]) {
      expect(await getGovernedSql('select region from orders', scope)).toMatch(/LIMIT 501$/);
      expect(await getGovernedSql('select region from orders limit 1000000000 -- x', scope)).toMatch(/LIMIT 501$/);
      expect(await getGovernedSql('select region from orders limit 7', scope)).toMatch(/LIMIT 7$/);
      expect(await getGovernedSql('select region from orders limit 7 + 1', scope)).toMatch(/least\(.*7 \+ 1.*, 501\)/i);
      expect(await getGovernedSql('select region from orders union all select city from customers', scope)).toMatch(
        /LIMIT 501$/,
      );
    }
    expect(await getGovernedSql('select region from orders limit all', postgresScope)).toMatch(/LIMIT 501$/);
    expect(
      await getRefusalCodes('select region from orders order by 1 fetch first 3 rows with ties', postgresScope),
    ).toEqual(['limit']);
    expect(await getRefusalCodes('select region from orders limit 10%', duckdbScope)).not.toEqual([]);
  });

  it('reads governed tables, but keeps approved SQL as it was shown and hashed', async () => {
    for (const scope of [
      shopScope('postgres', { policy: "region = 'West'" }),
      shopScope('duckdb', { policy: "region = 'West'" }),
    ]) {
      const sql = 'select   region, sum(sales) from orders group by 1 order by 2 desc';
      const guardedSql = await guardSql(sql, scope);
      // The guard qualifies the functions in the statement it writes, so the statement never calls user-defined
      // functions.
      expect(guardedSql.runs).toBe(
        scope.dialect === 'postgres' ? guardedSql.sql.replace('sum(', 'pg_catalog.sum(') : guardedSql.sql,
      );
      expect(guardedSql.runs).toMatch(/FROM \(.*\) AS orders/s);
      expect(guardedSql.report).toMatchObject({
        policies: ['own-region'],
        functions: ['sum'],
        columns: ['orders.region', 'orders.sales'],
        ordered: true,
        verdict: 'allowed',
      });
      const approvedSql = await guardSql(sql, { ...scope, shown: 'approved' });
      expect(approvedSql.sql).toBe(sql);
      expect(approvedSql.runs).toBe(guardedSql.runs);
    }
  });

  it('equals the text in verify mode, where the scope names physical columns', async () => {
    const sql = 'select "o"."card_number" from "public"."orders" "o"';
    const scope: GuardScope = { ...postgresScope, mode: 'verify', extraColumns: ['card_number'] };
    expect((await guardSql(sql, scope)).runs).toBe(sql);
    expect(await getRefusalCodes(sql, { ...scope, extraColumns: [] })).toEqual(['column']);
  });

  it('has only declared certified parameters, in the order of the text', async () => {
    for (const scope of [postgresScope, duckdbScope]) {
      const sql =
        "select ':year' as label, sum(sales)::numeric from orders where region = :region and quantity > :year and region <> :region";
      const guardedSql = await guardSql(sql, { ...scope, parameters: ['year', 'region'], shown: 'approved' });
      expect(guardedSql.parameters).toEqual(['region', 'year']);
      expect(guardedSql.runs).toContain("':year'");
      expect(guardedSql.runs.match(/\$\d/g)).toEqual(['$1', '$2', '$1']);
      expect(guardedSql.sql).toBe(sql);
      expect(await getRefusalCodes('select region from orders where region = $1', scope)).toContain('parameter');
      expect(
        await getRefusalCodes('select region from orders where region = :regoin', { ...scope, parameters: ['region'] }),
      ).toContain('parameter');
    }
  });

  it('G22 has each constant of the compiler in a form that parses to the same constant', async () => {
    const values = ["O'Neil \\ é'; --", "' or '1'='1", '\\', "\\'", '$1 :a ? %_', 'a\nb /* */'];
    for (const name of ['postgres', 'duckdb', 'mysql']) {
      const dialect = findDialect(name);
      const constants = [
        ...values.map((value) => createConstant(name, value, 'string')),
        createConstant(name, '2016-01-01', 'date'),
        createConstant(name, -5.5, 'decimal'),
        createConstant(name, true, 'boolean'),
      ];
      for (const item of constants) {
        const where = compare(columnOf('region'), '=', item);
        const query = selectOf([itemOf(columnOf('region'))], [tableOf('orders')], { where });
        const faults = new FaultCollector();
        const rereadQuery = await dialect.read(dialect.write(query), faults);
        const readValue =
          rereadQuery?.kind === 'select' && rereadQuery.where?.kind === 'compare' ? rereadQuery.where.right : null;
        expect([name, faults.list, readValue && toConstant(readValue)]).toEqual([name, [], toConstant(item)]);
      }
    }
  });
});
