// Tests which MySQL statements the guard refuses, for which reasons, and which SQL it writes. Needs no server.
import { describe, expect, it } from 'vitest';
import { mysqlShopScope } from '../../test/support/mysql-scope.ts';
import type { Problem } from '../platform/problem.ts';
import { analyzeExpression } from './analyze-expression.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

const describeGuardOutcome = (sql: string, overrides: Partial<GuardScope> = {}): Promise<string> =>
  guardSql(sql, mysqlShopScope(overrides)).then(
    ({ runs }) => `allowed: ${runs}`,
    (problem: Problem) => `${problem.code}: ${(problem.details ?? []).map(({ code }) => code).join(' ')}`,
  );
const getGovernedSql = async (sql: string, overrides: Partial<GuardScope> = {}): Promise<string> =>
  (await guardSql(sql, mysqlShopScope(overrides))).runs;

describe('the MySQL guard refuses', () => {
  it.each([
    ['select 1; drop table orders', 'one_statement'],
    ['select 1 /*!50000 union select token from secret */', 'executable_comment'],
    ['select 1 /*M! union select token from secret */', 'executable_comment'],
    ['select /*+ max_execution_time(0) */ 1', 'executable_comment'],
    ['select 1 /* /* */ */', 'executable_comment'],
    ["select 'a\\' from orders where region = ' union select token from secret -- '", 'backslash'],
    ['select 1--1', 'construct'],
    ['select 1 # comment', 'construct'],
    ['select @x', 'variable'],
    ['select @@global.datadir', 'variable'],
    ['select @x := 1', 'variable'],
    ["select region into outfile '/tmp/x' from orders", 'syntax'],
    ["select region from orders into dumpfile '/tmp/x'", 'syntax'],
    ['select region from orders into @x', 'variable'],
    ['select region from orders for update', 'locking'],
    ['select region from orders lock in share mode', 'locking'],
    ['select region from orders procedure analyse()', 'syntax'],
    ["select load_file('/etc/passwd')", 'function'],
    ['select sleep(10)', 'function'],
    ['select benchmark(1000000, md5(1))', 'function'],
    ["select get_lock('a', 1)", 'function'],
    ['select user(), current_user(), database(), version(), connection_id()', 'function'],
    ['select current_user', 'function'],
    ['select shop.f(1)', 'construct'],
    ['select `load_file`(1)', 'function'],
    ['select rand()', 'function'],
    ['select nextval(s)', 'function'],
    ['select uuid()', 'function'],
    ['select lastval(s)', 'function'],
    ['select token from secret', 'table'],
    ['select * from SECRET', 'table'],
    ['select * from mysql.user', 'table'],
    ['select * from information_schema.tables', 'table'],
    ['select * from other.orders', 'table'],
    ['with secret as (select * from secret) select * from secret', 'cte_name'],
    ['with Secret as (select 1 as x) select * from secret', 'cte_name'],
    ['select (with s as (select 1 as x) select x from s) as a, x from s', 'table'],
    ['select customer_name as n from orders order by n', 'masked'],
    ['select upper(customer_name) from orders', 'masked'],
    ['select region from orders group by customer_name', 'masked'],
    ['select customer_name from orders union select region from orders', 'masked'],
    ['select distinct customer_name from orders', 'masked'],
    ["select region from orders having customer_name > 'A'", 'masked'],
    ['select svc_raw_customer_name from orders', 'column'],
    [
      "select (select max(svc_raw_customer_name) from orders having count(distinct customer_name) > 0) from (select 'x' as svc_raw_customer_name) q",
      'column',
    ],
    ['select card_number from orders', 'column'],
    ['select orders from orders', 'whole_row'],
    ['delete from orders', 'not_select'],
    ['update orders set sales = 0', 'not_select'],
    ['explain select 1', 'not_select'],
    ['show tables', 'not_select'],
    ['set @@sql_mode = 1', 'variable'],
    ['handler orders open', 'not_select'],
    ['call p()', 'not_select'],
    ['do sleep(1)', 'not_select'],
    ['table orders', 'not_select'],
    ['values (1)', 'not_select'],
    ['(select 1) union (table orders)', ''],
    ["select region from orders where region = 'West' is null", 'brackets'],
    ['select region from orders where sales = 1 = 1', 'brackets'],
    ["select region from orders where not region like 'W%'", 'construct'],
    ["select region from orders where not region regexp 'W'", 'construct'],
    ["select region from orders where 'a' || 'b'", 'operator'],
    ['select (sales + 1) over () from orders', 'construct'],
    ['select sum(sales) over (rows 1) from orders', 'construct'],
    ['select `region`1 from orders', 'syntax'],
    [`select ${'sales + '.repeat(250)}1 from orders`, 'too_deep'],
    ['select region from orders where !sales', 'operator'],
    ['select sales & 1 from orders', 'operator'],
    ["select 'a' 'b' from orders", 'syntax'],
    ["select n'a' from orders", 'syntax'],
    ["select _latin1'a' from orders", 'syntax'],
    ["select x'61' from orders", 'syntax'],
    ['select 0x61 from orders', 'syntax'],
    ["select date_format(order_date, repeat('x', 100000000)) from orders", 'unbounded'],
    ['with recursive c (n) as (select 1 union all select n + 1 from c) select n from c', 'endless'],
    ['select region from (select region from orders)', 'alias'],
    ['select region from orders full join buyers on 1 = 1', 'construct'],
    ['select region from orders straight_join buyers', 'construct'],
    ['select region from orders use index (primary)', 'construct'],
    ['select region from orders partition (p0)', 'construct'],
    ['select sql_no_cache region from orders', ''],
    ['select ? from orders', 'parameter'],
    ['select :nope from orders', 'parameter'],
    ['select region from orders limit sales', 'construct'],
    ['select cast(sales as json) from orders', 'type'],
    ['select region collate latin1_bin from orders', 'construct'],
    [`select ${'('.repeat(60)}1${')'.repeat(60)}`, ''],
    ['select 1\u0000', 'control_character'],
    ['select region from orders a join orders A on 1 = 1', 'alias'],
  ])('%s', async (sql, code) => {
    const refusalText = await describeGuardOutcome(sql);
    expect(refusalText).toMatch(/^guard_refused: /);
    expect(refusalText).toContain(code);
  });

  it('no reference to a table of the lens, and applies the row policy to every reference', async () => {
    const text = await getGovernedSql(
      'select (select max(sales) from orders) as m from buyers where customer_id in (select customer_id from shop.orders) and exists (select 1 from orders o)',
    );
    expect(text.match(/`region` = 'West'/g)).toHaveLength(3);
    expect(text.match(/FROM `shop`.`orders` WHERE/g)).toHaveLength(3);
  });
});

describe('the MySQL guard writes', () => {
  it('a limit of one row more than svc’s limit, unless the text has a lower limit', async () => {
    expect(await getGovernedSql('select region from orders')).toMatch(/LIMIT 501$/);
    expect(await getGovernedSql('select region from orders limit 1000000')).toMatch(/LIMIT 501$/);
    expect(await getGovernedSql('select region from orders limit 7 offset 2')).toMatch(/LIMIT 7 OFFSET 2$/);
    expect(await getGovernedSql('select region from orders union select city from buyers')).toMatch(/LIMIT 501$/);
  });

  it('strings without backslashes, names in backticks, and operations in parentheses', async () => {
    const text = await getGovernedSql(
      'select region as "Where is it?" from orders where sales + 1 * 2 > 3 and region = "it\'s" or not profit < 0',
    );
    expect(text).toContain('SELECT `region` AS `Where is it?` FROM');
    expect(text).toContain("WHERE (((`sales` + (1 * 2)) > 3) AND (`region` = 'it''s')) OR (NOT (`profit` < 0))");
  });

  it('a parameter once for each of its positions in the text', async () => {
    const scope = mysqlShopScope({ parameters: ['a', 'b'], shown: 'approved' });
    const text = 'select region from orders where region = :a and state <> :a limit :b';
    const guardedSql = await guardSql(text, scope);
    expect(guardedSql).toMatchObject({ sql: text, parameters: ['a', 'a', 'b'] });
    expect(guardedSql.runs.match(/\?/g)).toHaveLength(3);
  });

  it('no SQL for a lens expression, but reports its columns, aggregates and faults', async () => {
    const sql = "sum(case when orders.segment = 'x' then orders.sales end) / count(distinct orders.customer_id)";
    expect(await analyzeExpression('mysql', sql)).toMatchObject({
      columns: [
        ['orders', 'segment'],
        ['orders', 'sales'],
        ['orders', 'customer_id'],
      ],
      aggregates: [{ name: 'sum' }, { name: 'count' }],
      fault: null,
    });
    const ratio = await analyzeExpression('mysql', 'metric(profit) / nullif(metric(revenue), 0)');
    expect(ratio).toMatchObject({ metricCalls: ['profit', 'revenue'], columns: [], fault: null });
    expect((await analyzeExpression('mysql', 'sum(a) over (order by b)')).fault).toContain('window functions');
    for (const text of ['', 'a, b', 'a as b', '1 from secret', 'a; b', '*', 'a order by 1', '1 union select 2']) {
      expect((await analyzeExpression('mysql', text)).fault, text).not.toBeNull();
    }
    expect((await analyzeExpression('mysql', 'sleep(1) + load_file(x)')).fault).toMatch(/sleep.*load_file/);
  });
});
