// Random plans return the rows that they describe, on every engine, over HTTP. If ties leave the choice of rows open, the
// answer isn't verified. svc must answer more than 70 % of the plans instead of
// refusing them or asking back.
import { describe, expect, it } from 'vitest';
import { PlanMaker } from './plan-maker.ts';
import { type Json, meaningOf } from './plan-meaning.ts';
import { cell, ENGINES, openPlanStage, sortRows } from './stage.ts';

const PLANS = Number(process.env['SVC_PLANS'] ?? 100);
const SEED = Number(process.env['SVC_SEED'] ?? 1);
const stage = await openPlanStage();

describe.each(ENGINES)('random plans on %s', (engine) => {
  it('return the rows that they describe', async () => {
    const maker = new PlanMaker(SEED);
    const different: Json[] = [];
    let answeredCount = 0;
    for (let planCount = 0; planCount < PLANS; planCount++) {
      const plan = maker.plan();
      const expectedRows = meaningOf(plan)?.map((row) => row.map(cell));
      const { status, body } = await stage.svc.post(`/v1/lenses/${engine}/metrics`, plan);
      if (status === 422 || body.status === 'clarification') continue;
      expect({ status, plan, message: body.error?.message }).toMatchObject({ status: 200 });
      answeredCount++;
      if (!expectedRows) {
        expect({ plan, confidence: body.confidence, sql: body.sql }).not.toMatchObject({ confidence: 'verified' });
        continue;
      }
      const rows = (body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell));
      if (sortRows(rows).join('\n') !== sortRows(expectedRows).join('\n'))
        different.push({
          plan,
          confidence: body.confidence,
          rows: sortRows(rows),
          meant: sortRows(expectedRows),
          sql: body.sql,
        });
    }
    expect(different).toEqual([]);
    expect(answeredCount).toBeGreaterThan(PLANS * 0.7);
  }, 120_000);
});
