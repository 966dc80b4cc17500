import { expect, it } from 'vitest';
import {
  type Calibrated,
  calibrationView,
  contradicted,
  lowerBound,
  type Reader,
  recordOf,
  tallied,
} from './calibration.ts';

const AGREED = { read_by: 'model', plan: 'compiled', agreed: true } as const;
const [A, B] = ['a', 'b'].map((id): Reader => ({ id, models: [id] })) as [Reader, Reader];
const RULE = { lowerBound: 0.95, classes: ['model_plan_agreed'], reader: A };
const view = (classes: Calibrated[], rule: typeof RULE) =>
  calibrationView({ shown: [{ reader: rule.reader, classes }], wrong: [] }, rule);

it('12: what one reader has shown is no other’s, and a wrong answer counts against whoever read it', () => {
  const classes = tallied([{ ...AGREED, right: true }]);
  const shown = [{ reader: A, classes }];
  expect(recordOf({ shown, wrong: [] }, A)).toEqual(classes);
  expect(recordOf({ shown, wrong: [] }, B)).toEqual([]);
  const wrong = [{ reader: 'b', read: AGREED }];
  expect(recordOf({ shown, wrong }, A)).toEqual(classes);
  expect(recordOf({ shown, wrong }, B)).toMatchObject([{ right: 0, of: 1 }]);
  expect(recordOf({ shown, wrong: [{ reader: null, read: AGREED }] }, A)).toMatchObject([{ right: 1, of: 2 }]);
});

it('12: the lower bound is Wilson’s at 95 %', () => {
  expect(lowerBound({ right: 61, of: 61 })).toBeCloseTo(0.9407, 3);
  expect(lowerBound({ right: 95, of: 100 })).toBeCloseTo(0.8883, 3);
  expect(lowerBound({ right: 0, of: 0 })).toBe(0);
});

it('12: a class is earned by enough right answers, and lost by one that a review finds wrong', () => {
  const runs = (right: number, of: number) =>
    tallied(Array.from({ length: of }, (_, at) => ({ ...AGREED, right: at < right })));
  expect(view(runs(73, 73), RULE)).toEqual([{ ...AGREED, right: 73, of: 73, lower_bound: 0.95, earned: true }]);
  expect(view(runs(72, 72), RULE)[0]!.earned).toBe(false);
  expect(view(contradicted(runs(73, 73), [AGREED]), RULE)[0]).toMatchObject({
    right: 73,
    of: 74,
    earned: false,
  });
  expect(view(tallied([{ ...AGREED, agreed: null, right: true }]), { ...RULE, lowerBound: 0.1 })[0]!.earned).toBe(
    false,
  );
});
