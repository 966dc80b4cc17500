import { describe, expect, it } from 'vitest';
import { mysqlShopScope } from '../../test/support/mysql-scope.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

const getGovernedSql = async (sql: string, overrides: Partial<GuardScope> = {}): Promise<string> =>
  (await guardSql(sql, mysqlShopScope(overrides))).runs;

describe('the MySQL guard', () => {
  it('applies the row policy to every reference', async () => {
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
});
