// Snowflake's own statements under the laws that hold for every engine.
import { describe, expect, it } from 'vitest';
import { SNOWFLAKE_ATTACKS, SNOWFLAKE_LEGITIMATE } from '../../test/guard/snowflake-statements.ts';
import { meaningOf, treeOf } from '../../test/support/round-trip.ts';
import { castOf, nothing } from '../dialects/make-nodes.ts';
import { snowflake } from '../dialects/snowflake/dialect.ts';
import type { Problem } from '../platform/problem.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

const SHOWN = 'job_id client_id site_id kind opened promised closed hours price'.split(' ');
const scope: GuardScope = {
  dialect: 'snowflake',
  mode: 'govern',
  maxRows: 500,
  relations: [
    {
      source: { catalog: null, schema: 'shop', table: 'jobs' },
      dataset: 'jobs',
      columns: SHOWN,
      masked: ['client_id'],
      policies: ['own-site'],
      body: `select ${SHOWN.map((name) => (name === 'client_id' ? 'cast(null as integer) as client_id' : name)).join(', ')} from shop.jobs where kind <> 'We\\\\st'`,
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

describe('Snowflake', () => {
  it.each(snowflake.cases)('gives back the tree of: %s', async (sql) => {
    const tree = await treeOf(snowflake, sql);
    expect(meaningOf(await treeOf(snowflake, snowflake.write(tree)))).toEqual(meaningOf(tree));
  });

  it('is governed by the laws that govern every engine', async () => {
    const { runs } = await guardSql(
      'select Kind, sum(price) as "Sum", count(*) from JOBS where opened < \'1969-12-31\' group by kind qualify rank() over (order by sum(price)) = 1 limit 3',
      scope,
    );
    expect(runs).toBe(
      `SELECT "KIND", sum("PRICE") AS "Sum", count(*) AS "count(*)" FROM (SELECT "JOB_ID", CAST(NULL AS int) AS "CLIENT_ID", "SITE_ID", "KIND", "OPENED", "PROMISED", "CLOSED", "HOURS", "PRICE" FROM "SHOP"."JOBS" WHERE "KIND" <> 'We\\\\st') AS "JOBS" WHERE "OPENED" < '1969-12-31' GROUP BY "KIND" QUALIFY rank() OVER (ORDER BY sum("PRICE")) = 1 LIMIT 3`,
    );
  });

  it('may cast to every type that the compiler casts to', () => {
    const cast = Object.values(snowflake.compiling.types).map((type) => castOf(nothing(), type).type.name);
    expect(cast.filter((name) => !snowflake.types.has(name))).toEqual([]);
  });

  it('15.2: refuses each attack', async () => {
    const allowed = [];
    for (const sql of SNOWFLAKE_ATTACKS) {
      const found = await refusal(sql);
      if (found.startsWith('allowed')) allowed.push(`${sql}: ${found}`);
    }
    expect(allowed).toEqual([]);
    expect(SNOWFLAKE_ATTACKS.length).toBeGreaterThanOrEqual(150);
  });

  it('15.2: refuses no legitimate statement', async () => {
    const refused = [];
    for (const sql of SNOWFLAKE_LEGITIMATE) {
      const found = await refusal(sql, unmasked);
      if (!found.startsWith('allowed')) refused.push(`${sql}: ${found}`);
    }
    expect(refused).toEqual([]);
    expect(SNOWFLAKE_LEGITIMATE.length).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['select upper(cast(client_id as varchar)) from jobs', 'masked'],
    ['select "kind" from jobs', 'column'],
    ['select "Kind" from jobs', 'column'],
    ['select kind from "jobs"', 'table'],
    ['select kind from jobs order by $1', 'variable'],
    ['select kind:rating from jobs', 'parameter'],
    ['select * from @~', 'construct'],
    ['select system$wait(10) from jobs', 'variable'],
    ['select kind::int from jobs', 'operator'],
    ['select kind from jobs ->> select 1', 'operator'],
    ['select kind from prod.shop.jobs', 'table'],
    ['drop table jobs', 'not_select'],
  ])('refuses %s', async (sql, code) => {
    expect(await refusal(sql)).toContain(code);
  });
});
