// ClickHouse's own statements under the laws that hold for every engine.
import { describe, expect, it } from 'vitest';
import { CLICKHOUSE_ATTACKS, CLICKHOUSE_LEGITIMATE } from '../../test/guard/clickhouse-statements.ts';
import { meaningOf, treeOf } from '../../test/support/round-trip.ts';
import { clickhouse } from '../dialects/clickhouse/dialect.ts';
import type { Problem } from '../platform/problem.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

const SHOWN = 'job_id client_id site_id kind opened promised closed hours price'.split(' ');
const scope: GuardScope = {
  dialect: 'clickhouse',
  mode: 'govern',
  maxRows: 500,
  relations: [
    {
      source: { catalog: null, schema: 'shop', table: 'jobs' },
      dataset: 'jobs',
      columns: SHOWN,
      masked: ['client_id'],
      policies: ['own-site'],
      body: `select ${SHOWN.map((name) => (name === 'client_id' ? 'cast(null as Int32) as client_id' : name)).join(', ')} from shop.jobs where kind <> 'We\\\\st'`,
    },
  ],
};
const unmasked: GuardScope = {
  ...scope,
  relations: [{ ...scope.relations[0]!, masked: [], body: `select ${SHOWN.join(', ')} from shop.jobs` }],
};
const refusal = (sql: string, within = scope): Promise<string> =>
  guardSql(sql, within).then(
    ({ runs }) => `allowed: ${runs}`,
    (problem: Problem) => `${problem.code}: ${(problem.details ?? []).map(({ code }) => code).join(' ')}`,
  );

describe('ClickHouse', () => {
  it.each(clickhouse.cases)('gives back the tree of: %s', async (sql) => {
    const tree = await treeOf(clickhouse, sql);
    expect(meaningOf(await treeOf(clickhouse, clickhouse.write(tree)))).toEqual(meaningOf(tree));
  });

  it('is governed by the laws that govern every engine', async () => {
    const { runs } = await guardSql(
      "select kind, sumIf(price, hours > 1.5) as s from jobs where opened < date '1969-12-31' group by kind",
      scope,
    );
    expect(runs).toBe(
      "SELECT `kind`, sumIf(CAST(1 AS Decimal(76, 0)) * `price`, `hours` > CAST('1.5' AS Decimal(38, 1))) AS `s` FROM (SELECT `job_id`, CAST(NULL AS Int32) AS `client_id`, `site_id`, `kind`, `opened`, `promised`, `closed`, `hours`, `price` FROM `shop`.`jobs` WHERE `kind` <> 'We\\\\st') AS `jobs` WHERE `opened` < CAST('1969-12-31' AS Date32) GROUP BY `kind` LIMIT 501",
    );
  });

  it('15.2: refuses each attack', async () => {
    const allowed = [];
    for (const sql of CLICKHOUSE_ATTACKS) if ((await refusal(sql)).startsWith('allowed')) allowed.push(sql);
    expect(allowed).toEqual([]);
    expect(CLICKHOUSE_ATTACKS.length).toBeGreaterThanOrEqual(150);
  });

  it('15.2: refuses no legitimate statement', async () => {
    const refused = [];
    for (const sql of CLICKHOUSE_LEGITIMATE) {
      const found = await refusal(sql, unmasked);
      if (!found.startsWith('allowed')) refused.push(`${sql}: ${found}`);
    }
    expect(refused).toEqual([]);
    expect(CLICKHOUSE_LEGITIMATE.length).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['select upper(toString(client_id)) from jobs', 'masked'],
    ["select kind from jobs where opened < date '1582-10-04'", 'rewrite'],
    ['select Kind from jobs', 'column'],
    ['select kind from jobs where not price = 1', 'brackets'],
    ["select 'a\\nb' from jobs", 'backslash'],
    ['select COUNTIF(hours > 1) from jobs', 'function'],
    ['drop table jobs', 'not_select'],
  ])('refuses %s', async (sql, code) => {
    expect(await refusal(sql)).toContain(code);
  });
});
