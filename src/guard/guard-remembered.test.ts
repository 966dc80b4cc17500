import { describe, expect, it } from 'vitest';
import { shopScope } from '../../test/support/guard-scopes.ts';
import { guardRemembered } from './guard-remembered.ts';

const SQL = 'select region, sum(sales) from orders group by region';
const frozen = (policy: string) => {
  const scope = shopScope('duckdb', { policy });
  Object.freeze(scope.relations);
  return scope;
};

describe('a remembered verdict', () => {
  it('serves the same text in the same scope again', async () => {
    const scope = frozen("region = 'West'");
    expect(await guardRemembered(SQL, scope)).toBe(await guardRemembered(SQL, { ...scope }));
  });

  it('is never that of another asker, another cap or another text', async () => {
    const west = frozen("region = 'West'");
    const first = await guardRemembered(SQL, west);
    const east = await guardRemembered(SQL, frozen("region = 'East'"));
    expect(first.runs).toContain("'West'");
    expect(east.runs).toContain("'East'");
    expect(east.runs).not.toContain("'West'");
    expect((await guardRemembered(SQL, { ...west, maxRows: 7 })).runs).toMatch(/LIMIT 8|LIMIT \(8\)/i);
    expect(await guardRemembered(`${SQL} order by 1`, west)).not.toBe(first);
  });

  it('is not kept for a scope that may still change, nor for a refusal', async () => {
    const open = shopScope('duckdb');
    expect(await guardRemembered(SQL, open)).not.toBe(await guardRemembered(SQL, open));
    const scope = frozen('true');
    for (let round = 0; round < 2; round++)
      await expect(guardRemembered('select * from secret', scope)).rejects.toMatchObject({ code: 'guard_refused' });
  });
});
