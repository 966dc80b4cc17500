// The plans of the suites over one engine: each returns the rows that PostgreSQL returns, or svc refuses it before it
// runs.
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { CASES, goldOf } from '../plans/cases.ts';
import { cell, sortRows } from '../plans/stage.ts';
import { EDGE_PLANS } from './edge-plans.ts';
import { type EngineStage, exactCell } from './engine-stage.ts';

/**
 * `unsayable` maps the name of each plan that the engine can't run to the expected refusal. Null excludes a plan that
 * the engine's emulator computes differently.
 */
export function planSuite(stage: EngineStage, unsayable: Readonly<Record<string, RegExp | null>> = {}): void {
  const ask = (plan: object) => stage.svc.post('/v1/lenses/workshop/metrics', plan);
  const checkAnswered = (reply: { status: number; body: { status?: string; error?: { message: string } } }) =>
    expect({ status: reply.status, said: reply.body.error?.message ?? reply.body.status }).toEqual({
      status: 200,
      said: 'answered',
    });
  const isUnsayable = ({ name }: { name: string }): boolean => name in unsayable;

  describe('plans', () => {
    it.each(CASES.filter((item) => !isUnsayable(item)))(
      'returns the expected rows: $name',
      async ({ plan, sql, ordered }) => {
        const reply = await ask(plan);
        checkAnswered(reply);
        const rows = (reply.body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell));
        const gold = (await stage.gold(goldOf({ sql }, 'postgres'))).map((row) => row.map(cell));
        const lines = (rows: string[][]) => (ordered ? rows.map((row) => row.join(' | ')) : sortRows(rows));
        expect(lines(rows)).toEqual(lines(gold.map((row) => row.map((item) => (item === 'null' ? 'null' : item)))));
      },
    );
    it.each(EDGE_PLANS.filter((item) => !isUnsayable(item)))(
      'returns the expected rows: $name',
      async ({ plan, sql }) => {
        const reply = await ask(plan);
        checkAnswered(reply);
        const rows = (reply.body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(exactCell));
        expect(sortRows(rows)).toEqual(sortRows((await stage.gold(sql)).map((row) => row.map(exactCell))));
      },
    );
    it.each([...CASES, ...EDGE_PLANS].filter(({ name }) => unsayable[name]))(
      'refuses a plan that the engine can’t run, before it runs: $name',
      async ({ name, plan }) => {
        const { status, body } = await ask(plan);
        expect(status).toBe(422);
        expect(body.error.message).toMatch(unsayable[name]!);
      },
    );
  });

  it('reports the date of the newest data, and that the data is not fresh', async () => {
    const { body } = await ask({ measures: [{ fn: 'count', rows: 'edges' }] });
    const [[last]] = (await stage.gold('select max(day) from edges')) as [[string]];
    // A day begins in the time zone of the lens.
    expect(body.data_as_of).toBe(DateTime.fromISO(last, { zone: 'Europe/Paris' }).toUTC().toISO());
    expect(body.checks.find(({ name }: { name: string }) => name === 'data_fresh')).toMatchObject({ outcome: 'fail' });
  });
}
