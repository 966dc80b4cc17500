// G15: what a short statement may cost the guard itself; each of these once held the event loop or all memory.
import { describe, expect, it } from 'vitest';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { Problem } from '../../src/platform/problem.ts';
import { shopScope } from '../support/guard-scopes.ts';

async function refusal(dialect: 'duckdb' | 'postgres', sql: string): Promise<string[]> {
  const fault = await guardSql(sql, shopScope(dialect)).catch((thrown: unknown) => thrown);
  return fault instanceof Problem ? fault.details.map(({ code }) => code) : [];
}

const doubling = (arm: (name: string) => string): string =>
  `with ${Array.from({ length: 100 }, (_, n) => `a${n} as (${n === 0 ? 'select * from orders' : arm(`a${n - 1}`)})`).join(', ')} select count(*) from a99`;

describe('a statement whose columns double with each common table expression', () => {
  it.each(['duckdb', 'postgres'] as const)('is refused at once, not expanded: %s', async (dialect) => {
    expect(
      await refusal(
        dialect,
        doubling((name) => `select * from ${name} x, ${name} y`),
      ),
    ).toContain('too_many_columns');
    expect(
      await refusal(
        dialect,
        doubling((name) => `select *, * from ${name}`),
      ),
    ).toContain('too_many_columns');
  });

  it('has each name once after UNION BY NAME', async () => {
    const chain = doubling((name) => `from ${name} union all by name from ${name}`).replace('*', 'row_id, region');
    expect(await refusal('duckdb', chain)).toEqual([]);
  });
});
