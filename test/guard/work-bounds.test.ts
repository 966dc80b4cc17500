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
});

describe('a statement that reads more tables than an engine can put in order', () => {
  const chain = (levels: number): string =>
    `with ${Array.from({ length: levels }, (_, n) => `a${n} as (${n === 0 ? 'select 1 as n from orders' : `select 1 as n from a${n - 1} x, a${n - 1} y`})`).join(', ')} select count(*) from a${levels - 1}`;

  it.each(['duckdb', 'postgres'] as const)('is refused before the engine sees it: %s', async (dialect) => {
    expect(await refusal(dialect, chain(40))).toContain('too_many_tables');
    const joined = Array.from({ length: 41 }, (_, n) => `orders o${n}`).join(', ');
    expect(await refusal(dialect, `select count(*) from ${joined}`)).toContain('too_many_tables');
    expect(await refusal(dialect, `select 1 ${'union all select 1 from orders '.repeat(401)}`)).not.toEqual([]);
  });

  it.each(['duckdb', 'postgres'] as const)('but reads what a long report needs: %s', async (dialect) => {
    expect(await refusal(dialect, chain(4))).toEqual([]);
    expect(await refusal(dialect, `select 1 ${'union all select 1 from orders '.repeat(100)}`)).toEqual([]);
  });
});
