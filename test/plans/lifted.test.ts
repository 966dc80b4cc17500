// 11: a statement that equals a plan is graded as that plan, and the plan gives its rows; a near one is never taken for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SentEnvelope } from '../../src/contract/ask.ts';
import { LIFTED } from './lifted-statements.ts';
import { cell, ENGINES, openPlanStage, type PlanStage, sorted } from './stage.ts';

/** The columns that tables are joined by are fields here, so that statements can name them. */
const withKeys = (lens: string): string =>
  lens
    .replace('      kind: {', '      client_id: {datatype: integer}\n      site_id: {datatype: integer}\n      kind: {')
    .replace('      paid_on: {', '      job_id: {datatype: integer}\n      paid_on: {');
/** Not lifted, each for a reason: where rows of no kind stand first, they would be cut otherwise. */
const OPEN: Record<string, string[]> = { postgres: [], duckdb: [], mysql: ['the most'] };

/** Of these the lens lists every column, so that they stay as they are written. */
const REPLACED = /\(\s*select[^()]*from (?:public\.|main\.)?[`"]?(?:jobs|payments)\b/i;

let stage: PlanStage;
beforeAll(async () => {
  stage = await openPlanStage(ENGINES, withKeys);
}, 120_000);
afterAll(() => stage?.close());

const ask = async (lens: string, sql: string): Promise<SentEnvelope> =>
  (await stage.svc.post<SentEnvelope>('/v1/sql', { lens, sql, limit: 500, plan: true })).body;
const rowsOf = ({ data }: SentEnvelope): string[] => sorted((data ?? []).map((row) => Object.values(row).map(cell)));
const byPlan = async (lens: string, { plan }: SentEnvelope): Promise<SentEnvelope> =>
  (await stage.svc.post<SentEnvelope>(`/v1/lenses/${lens}/metrics`, plan)).body;

describe.each(ENGINES)('11: statements on %s', (engine) => {
  it('are graded as the plans that they equal', async () => {
    const open: string[] = [];
    const found: string[] = [];
    for (const { about, sql, metrics = [], without } of LIFTED) {
      if (without === engine) continue;
      const said = await ask(engine, sql);
      if (typeof said.plan !== 'object' || said.plan === null) open.push(about);
      else {
        const planned = await byPlan(engine, said);
        const graded = [planned.confidence, said.confidence].join(' but ');
        if (planned.confidence !== said.confidence) found.push(`${about}: ${graded}`);
        if (JSON.stringify(rowsOf(planned)) !== JSON.stringify(rowsOf(said))) found.push(`${about}: other rows`);
        if (!metrics.every((name) => said.plan !== null && JSON.stringify(said.plan).includes(`"${name}"`)))
          found.push(`${about}: ${JSON.stringify(said.plan)}`);
        if (REPLACED.test(said.sql!) && !REPLACED.test(sql)) found.push(`${about}: ${said.sql}`);
      }
    }
    expect({ open, found }).toEqual({ open: OPEN[engine], found: [] });
  });

  it('that only look so are another plan with their own rows, or none', async () => {
    const found: string[] = [];
    for (const { about, sql, miss } of LIFTED) {
      if (miss === undefined) continue;
      const [right, near] = [await ask(engine, sql), await ask(engine, miss)];
      if (typeof near.plan !== 'object' || near.plan === null) continue;
      const planned = await byPlan(engine, near);
      if (JSON.stringify(near.plan) === JSON.stringify(right.plan)) found.push(`${about}: taken for it`);
      if (JSON.stringify(rowsOf(planned)) !== JSON.stringify(rowsOf(near))) found.push(`${about}: other rows`);
    }
    expect(found).toEqual([]);
  });
});

it('11: a lifted statement is told of as its plan, verified where the plan is, with the joins of the plan', async () => {
  const sql =
    "select c.city, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id where j.opened >= '2024-01-01' and j.opened < '2024-04-01' group by c.city";
  const said = await ask('postgres', sql);
  expect(said).toMatchObject({
    confidence: 'verified',
    certification: 'none',
    plan: { metrics: ['revenue'], dimensions: ['clients.city'], time: { from: '2024-01-01', to: '2024-04-01' } },
    scope: { time: { from: '2024-01-01' }, sentence: expect.stringMatching(/revenue/i) },
  });
  expect(said.checks.find(({ name }) => name === 'governed_metrics')!.outcome).toBe('pass');
  // Without asking for it, the member says how the statement was made.
  expect((await stage.svc.post('/v1/sql', { lens: 'postgres', sql })).body.plan).toBe('caller_sql');
});

it('G15: what nests is left as it is written before the text of its meaning doubles at each level', async () => {
  const within = '(select max(price) from jobs where price = ';
  const sql = `select count(*) as n from jobs where price = ${within.repeat(30)}1${')'.repeat(30)}`;
  expect(await ask('postgres', sql)).toMatchObject({ status: 'answered', plan: 'caller_sql' });
});
