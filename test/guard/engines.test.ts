// Statements for each engine whose SQL svc parses with its own grammar. The same rules apply to every engine.
import { describe, expect, it } from 'vitest';
import { findDialect } from '../../src/dialects/dialects.ts';
import { castOf, nullLiteral } from '../../src/dialects/make-nodes.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import type { GuardScope } from '../../src/guard/guarded-sql.ts';
import type { Problem } from '../../src/platform/problem.ts';
import { meaningOf, treeOf } from '../support/round-trip.ts';
import { CORPORA, type EngineCorpus } from './engines/corpus.ts';

const SHOWN = 'job_id client_id site_id kind opened promised closed hours price'.split(' ');

function scopeOf({ dialect, noInteger, west }: EngineCorpus, masked: boolean): GuardScope {
  const shownColumns = SHOWN.map((name) => (masked && name === 'client_id' ? `${noInteger} as client_id` : name));
  const relation = {
    source: { catalog: null, schema: 'shop', table: 'jobs' },
    dataset: 'jobs',
    columns: SHOWN,
    masked: masked ? ['client_id'] : [],
    policies: ['own-site'],
    body: `select ${shownColumns.join(', ')} from shop.jobs${masked ? ` where kind <> ${west}` : ''}`,
  };
  return { dialect, mode: 'govern', maxRows: 500, relations: [relation] };
}

const judge = (sql: string, within: GuardScope): Promise<string> =>
  guardSql(sql, within).then(
    ({ runs }) => `allowed: ${runs}`,
    (problem: Problem) => `${problem.code}: ${(problem.details ?? []).map(({ code }) => code).join(' ')}`,
  );

describe.each(CORPORA)('$dialect', (engine) => {
  const dialect = findDialect(engine.dialect);
  const governed = scopeOf(engine, true);
  const unmasked = scopeOf(engine, false);

  it.each(dialect.cases)('writes SQL that reads as the same tree: %s', async (sql) => {
    const tree = await treeOf(dialect, sql);
    expect(meaningOf(await treeOf(dialect, dialect.write(tree)))).toEqual(meaningOf(tree));
  });

  it('rewrites a governed statement as expected', async () => {
    expect((await guardSql(engine.governed.asked, governed)).runs).toBe(engine.governed.runs);
  });

  it('allows casts to every type that the compiler uses', () => {
    const cast = Object.values(dialect.compiling.types).map((type) => castOf(nullLiteral(), type).type.name);
    expect(cast.filter((name) => !dialect.types.has(name))).toEqual([]);
  });

  it('refuses each attack', async () => {
    const allowed = [];
    for (const sql of engine.attacks) {
      const foundVerdict = await judge(sql, governed);
      if (foundVerdict.startsWith('allowed')) allowed.push(`${sql}: ${foundVerdict}`);
    }
    expect(allowed).toEqual([]);
    expect(engine.attacks.length).toBeGreaterThanOrEqual(150);
  });

  it('refuses each function that only other engines list', async () => {
    const known = CORPORA.flatMap((other) => [...findDialect(other.dialect).functions.list.names()]);
    const foreign = [...new Set(known.map((name) => name.toLowerCase()))].filter(
      (name) => !dialect.functions.list.has(name),
    );
    const allowed = [];
    for (const name of foreign)
      if ((await judge(`select ${name}(kind) from jobs`, governed)).startsWith('allowed')) allowed.push(name);
    expect(allowed).toEqual([]);
  });

  it('allows each legitimate statement', async () => {
    const refused = [];
    for (const sql of engine.legitimate) {
      const foundVerdict = await judge(sql, unmasked);
      if (!foundVerdict.startsWith('allowed')) refused.push(`${sql}: ${foundVerdict}`);
    }
    expect(refused).toEqual([]);
    expect(engine.legitimate.length).toBeGreaterThanOrEqual(100);
  });

  it.each(engine.refused)('refuses %s', async (sql, code) => {
    expect(await judge(sql, governed)).toContain(code);
  });
});
