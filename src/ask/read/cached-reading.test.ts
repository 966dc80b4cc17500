import { describe, expect, it } from 'vitest';
import { superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../../reader/read-question.ts';
import { readWithCache } from './cached-reading.ts';

const readAt = (question: string, instant: string, choices = {}, lens = superstore) =>
  readWithCache({ question, lens, choices, now: new Date(instant) });

describe('a cached interpretation', () => {
  it('equals the planner’s interpretation, and can’t be changed', () => {
    const question = 'What was revenue by region in 2016?';
    const instant = '2017-12-31T12:00:00Z';
    const first = readAt(question, instant);
    expect(first).toEqual(readQuestion({ question, lens: superstore, choices: {}, now: new Date(instant) }));
    expect(() => first.kind === 'plan' && first.plan.dimensions.pop()).toThrow(TypeError);
    expect(readAt(question, instant)).toEqual(
      readQuestion({ question, lens: superstore, choices: {}, now: new Date(instant) }),
    );
  });

  it('is not used on another day of the data or for another lens', () => {
    const yesterday = readAt('revenue yesterday', '2017-12-30T23:59:59Z');
    expect(readAt('revenue yesterday', '2017-12-30T00:00:00Z')).toEqual(yesterday);
    expect(readAt('revenue yesterday', '2017-12-31T00:00:00Z')).not.toEqual(yesterday);
    const bareLens = { ...superstore, metrics: [], definitions: [] };
    expect(readAt('revenue yesterday', '2017-12-30T12:00:00Z', {}, bareLens)).not.toEqual(yesterday);
  });

  it('starts each day at midnight in the time zone of its lens', () => {
    const berlin = { ...superstore, timezone: 'Europe/Berlin' };
    const readInBerlin = (instant: string) => readAt('revenue yesterday', instant, {}, berlin);
    for (const [lastInstant, firstInstant] of [
      ['2017-12-30T22:59:59.999Z', '2017-12-30T23:00:00Z'],
      ['2018-03-25T21:59:59.999Z', '2018-03-25T22:00:00Z'], // the day on which summer time began has 23 hours
    ] as const) {
      const lastReading = readInBerlin(lastInstant);
      expect(readInBerlin(firstInstant)).not.toEqual(lastReading);
      expect(readAt('revenue yesterday', lastInstant)).toEqual(readAt('revenue yesterday', firstInstant));
      expect(readInBerlin(lastInstant)).toEqual(lastReading);
    }
  });
});
