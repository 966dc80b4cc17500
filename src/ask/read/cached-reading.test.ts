import { describe, expect, it } from 'vitest';
import { superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../../reader/read-question.ts';
import { cachedReading } from './cached-reading.ts';

const read = (question: string, at: string, choices = {}, lens = superstore) =>
  cachedReading({ question, lens, choices, now: new Date(at) });

describe('a cached reading', () => {
  it('equals the planner’s reading, and can’t be changed', () => {
    const question = 'What was revenue by region in 2016?';
    const at = '2017-12-31T12:00:00Z';
    const first = read(question, at);
    expect(first).toEqual(readQuestion({ question, lens: superstore, choices: {}, now: new Date(at) }));
    expect(() => first.kind === 'plan' && first.plan.dimensions.pop()).toThrow(TypeError);
    expect(read(question, at)).toEqual(readQuestion({ question, lens: superstore, choices: {}, now: new Date(at) }));
  });

  it('is not used on another day of the data or for another lens', () => {
    const yesterday = read('revenue yesterday', '2017-12-30T23:59:59Z');
    expect(read('revenue yesterday', '2017-12-30T00:00:00Z')).toEqual(yesterday);
    expect(read('revenue yesterday', '2017-12-31T00:00:00Z')).not.toEqual(yesterday);
    const bare = { ...superstore, metrics: [], definitions: [] };
    expect(read('revenue yesterday', '2017-12-30T12:00:00Z', {}, bare)).not.toEqual(yesterday);
  });
});
