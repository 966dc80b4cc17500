// The plan of each pair returns the rows of the right statement, and never the rows of the wrong statement.
import { describe, expect, it } from 'vitest';
import { cell, ENGINES, openPlanStage, sortRows } from './stage.ts';
import { TRAPS } from './traps.ts';

const stage = await openPlanStage();

describe.each(ENGINES)('plans for error-prone questions on %s', (engine) => {
  it.each(TRAPS)(
    'return the right rows, not those of the usual mistake: $kind: $name',
    async ({ plan, right, wrong }) => {
      const { status, body } = await stage.svc.post(`/v1/lenses/${engine}/metrics`, plan);
      expect({ status, said: body.error?.message ?? body.status }).toEqual({ status: 200, said: 'answered' });
      const rows = sortRows((body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell)));
      expect(rows).toEqual(sortRows(await stage.byHand(engine, right)));
      expect(rows).not.toEqual(sortRows(await stage.byHand(engine, wrong)));
    },
  );
});

it('covers nine kinds of mistakes with at least thirty pairs of statements', () => {
  expect(TRAPS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(TRAPS.map(({ kind }) => kind)).size).toBe(9);
});
