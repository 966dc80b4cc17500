import { expect, it } from 'vitest';
import { calibrationView, contradicted, lowerBound, tallied } from './calibration.ts';

const AGREED = { read_by: 'model', plan: 'compiled', agreed: true } as const;
const RULE = { lowerBound: 0.95, classes: ['model_plan_agreed'] };

it('12: the lower bound is Wilson’s at 95 %', () => {
  expect(lowerBound({ right: 61, of: 61 })).toBeCloseTo(0.9407, 3);
  expect(lowerBound({ right: 95, of: 100 })).toBeCloseTo(0.8883, 3);
  expect(lowerBound({ right: 0, of: 0 })).toBe(0);
});

it('12: a class is earned by enough right answers, and lost by one that a review finds wrong', () => {
  const runs = (right: number, of: number) =>
    tallied(Array.from({ length: of }, (_, at) => ({ ...AGREED, right: at < right })));
  expect(calibrationView(runs(73, 73), RULE)).toEqual([
    { ...AGREED, right: 73, of: 73, lower_bound: 0.95, earned: true },
  ]);
  expect(calibrationView(runs(72, 72), RULE)[0]!.earned).toBe(false);
  expect(calibrationView(contradicted(runs(73, 73), [AGREED]), RULE)[0]).toMatchObject({
    right: 73,
    of: 74,
    earned: false,
  });
  expect(
    calibrationView(tallied([{ ...AGREED, agreed: null, right: true }]), { ...RULE, lowerBound: 0.1 })[0]!.earned,
  ).toBe(false);
});
