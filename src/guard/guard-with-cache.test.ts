import { describe, expect, it } from 'vitest';
import { shopScope } from '../../test/support/guard-scopes.ts';
import { guardWithCache } from './guard-sql.ts';

const SQL = 'select region, sum(sales) from orders group by region';
const createFrozenScope = (policy: string) => {
  const scope = shopScope('duckdb', { policy });
  Object.freeze(scope.relations);
  return scope;
};

describe('a cached verdict', () => {
  it('reuses a verdict for the same text in the same scope', async () => {
    const scope = createFrozenScope("region = 'West'");
    expect(await guardWithCache(SQL, scope)).toBe(await guardWithCache(SQL, { ...scope }));
  });

  it('never reuses a verdict for another caller, limit or text', async () => {
    const westScope = createFrozenScope("region = 'West'");
    const firstVerdict = await guardWithCache(SQL, westScope);
    const eastVerdict = await guardWithCache(SQL, createFrozenScope("region = 'East'"));
    expect(firstVerdict.runs).toContain("'West'");
    expect(eastVerdict.runs).toContain("'East'");
    expect(eastVerdict.runs).not.toContain("'West'");
    expect((await guardWithCache(SQL, { ...westScope, maxRows: 7 })).runs).toMatch(/LIMIT 8|LIMIT \(8\)/i);
    expect(await guardWithCache(`${SQL} order by 1`, westScope)).not.toBe(firstVerdict);
  });

  it('caches no verdict for a scope that can still change, and no refusal', async () => {
    const openScope = shopScope('duckdb');
    expect(await guardWithCache(SQL, openScope)).not.toBe(await guardWithCache(SQL, openScope));
    const scope = createFrozenScope('true');
    for (let round = 0; round < 2; round++)
      await expect(guardWithCache('select * from secret', scope)).rejects.toMatchObject({ code: 'guard_refused' });
  });
});
