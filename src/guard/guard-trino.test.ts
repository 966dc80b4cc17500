// Trino's own statements under the laws that hold for every engine.
import { describe, expect, it } from 'vitest';
import { TRINO_ATTACKS, TRINO_LEGITIMATE } from '../../test/guard/trino-statements.ts';
import { meaningOf, treeOf } from '../../test/support/round-trip.ts';
import { castOf, nothing } from '../dialects/make-nodes.ts';
import { trino } from '../dialects/trino/dialect.ts';
import type { Problem } from '../platform/problem.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

const SHOWN = 'job_id client_id site_id kind opened promised closed hours price'.split(' ');
const scope: GuardScope = {
  dialect: 'trino',
  mode: 'govern',
  maxRows: 500,
  relations: [
    {
      source: { catalog: null, schema: 'shop', table: 'jobs' },
      dataset: 'jobs',
      columns: SHOWN,
      masked: ['client_id'],
      policies: ['own-site'],
      body: `select ${SHOWN.map((name) => (name === 'client_id' ? 'cast(null as integer) as client_id' : name)).join(', ')} from shop.jobs where kind <> 'We\\st'`,
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

describe('Trino', () => {
  it.each(trino.cases)('gives back the tree of: %s', async (sql) => {
    const tree = await treeOf(trino, sql);
    expect(meaningOf(await treeOf(trino, trino.write(tree)))).toEqual(meaningOf(tree));
  });

  it('is governed by the laws that govern every engine', async () => {
    const { runs } = await guardSql(
      "select Kind, sum(price) filter (where hours > 1.5) as s from JOBS where opened < date '1969-12-31' group by kind offset 1 limit 3",
      scope,
    );
    expect(runs).toBe(
      `SELECT "Kind", sum("price") FILTER (WHERE "hours" > 1.5) AS "s" FROM (SELECT "job_id", CAST(NULL AS integer) AS "client_id", "site_id", "kind", "opened", "promised", "closed", "hours", "price" FROM "shop"."jobs" WHERE "kind" <> 'We\\st') AS "JOBS" WHERE "opened" < DATE '1969-12-31' GROUP BY "kind" OFFSET 1 LIMIT 3`,
    );
  });

  it('may cast to every type that the compiler casts to', () => {
    const cast = Object.values(trino.compiling.types).map((type) => castOf(nothing(), type).type.name);
    expect(cast.filter((name) => !trino.types.has(name))).toEqual([]);
  });

  it('15.2: refuses each attack', async () => {
    const allowed = [];
    for (const sql of TRINO_ATTACKS) {
      const found = await refusal(sql);
      if (found.startsWith('allowed')) allowed.push(`${sql}: ${found}`);
    }
    expect(allowed).toEqual([]);
    expect(TRINO_ATTACKS.length).toBeGreaterThanOrEqual(150);
  });

  it('15.2: refuses no legitimate statement', async () => {
    const refused = [];
    for (const sql of TRINO_LEGITIMATE) {
      const found = await refusal(sql, unmasked);
      if (!found.startsWith('allowed')) refused.push(`${sql}: ${found}`);
    }
    expect(refused).toEqual([]);
    expect(TRINO_LEGITIMATE.length).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['select upper(cast(client_id as varchar)) from jobs', 'masked'],
    ['select kind from jobs limit 3 offset 1', 'construct'],
    ['select (price > 1) is true from jobs', 'construct'],
    ['select kind from jobs group by kind having k > 1', 'column'],
    ['select rand() from jobs', 'function'],
    ['select kind from tpch.tiny.nation', 'table'],
    ['drop table jobs', 'not_select'],
  ])('refuses %s', async (sql, code) => {
    expect(await refusal(sql)).toContain(code);
  });
});
