// An engine is data: ClickHouse by the foreign reader, in the files of this folder and none besides.
import { describe, expect, it } from 'vitest';
import { addDialects, dialectsFrom } from '../../../src/dialects/dialects.ts';
import { guardSql } from '../../../src/guard/guard-sql.ts';
import type { GuardScope } from '../../../src/guard/guarded-sql.ts';
import type { Problem } from '../../../src/platform/problem.ts';
import { meaningOf, treeOf } from '../../support/round-trip.ts';
import { clickhouseCases } from './cases.ts';
import { clickhouse } from './dialect.ts';

const [dialect] = dialectsFrom((tools) => [clickhouse(tools)]);
addDialects([dialect!]);

const scope: GuardScope = {
  dialect: 'clickhouse',
  mode: 'govern',
  maxRows: 500,
  relations: [
    {
      source: { catalog: null, schema: 'shop', table: 'orders' },
      dataset: 'orders',
      columns: ['region', 'amount', 'customer'],
      masked: ['customer'],
      policies: ['own-region'],
      body: "select region, amount, cast(null as String) as customer from shop.orders where region = 'We\\\\st'",
    },
  ],
};
const refusal = (sql: string): Promise<string> =>
  guardSql(sql, scope).then(
    ({ runs }) => `allowed: ${runs}`,
    (problem: Problem) => (problem.details ?? []).map(({ code }) => code).join(' '),
  );

describe('ClickHouse', () => {
  it.each(clickhouseCases)('gives back the tree of: %s', async (sql) => {
    const tree = await treeOf(dialect!, sql);
    expect(meaningOf(await treeOf(dialect!, dialect!.write(tree)))).toEqual(meaningOf(tree));
  });

  it('is governed by the laws that govern every engine', async () => {
    const { runs } = await guardSql('select region, sumIf(amount, amount > 1) as s from orders group by region', scope);
    expect(runs).toBe(
      "SELECT `region`, sumIf(`amount`, `amount` > 1) AS `s` FROM (SELECT `region`, `amount`, CAST(NULL AS String) AS `customer` FROM `shop`.`orders` WHERE `region` = 'We\\\\st') AS `orders` GROUP BY `region` LIMIT 501",
    );
  });

  it.each([
    ['select upper(customer) from orders', 'masked'],
    ['select card from orders', 'column'],
    ['select Region from orders', 'column'],
    ["select region from file('/etc/passwd')", 'construct'],
    ['select region from orders final', 'construct'],
    ['select region from orders prewhere amount > 1', 'construct'],
    ['select region from orders limit 1 by region', 'construct'],
    ['select region from orders settings readonly = 0', 'construct'],
    ['select region from orders format JSON', 'construct'],
    ['select region from orders any left join orders o using (region)', 'construct'],
    ['select region from orders union select region from orders', 'construct'],
    ['select region from orders where not amount = 1', 'brackets'],
    ['select quantile(0.5)(amount) from orders', 'construct'],
    ['select amount::String from orders', 'operator'],
    ['select [1, 2]', 'operator'],
    ["select 'a\\nb'", 'backslash'],
    ['select sleep(3)', 'function'],
    ['select COUNTIF(amount > 1) from orders', 'function'],
    ['drop table orders', 'not_select'],
  ])('refuses %s', async (sql, code) => {
    expect(await refusal(sql)).toContain(code);
  });
});
