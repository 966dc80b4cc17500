// Checks that the plan expresses each restricting or quantifying word, such as "only", "every", "except" and "twice".
import { wordsMean as meant } from '../../../reader/restrictions/words-mean.ts';
import { isTooLong } from '../../../reader/words/length-limit.ts';
import { type AnswerCheck, failed, notApplicable, passed, undetermined } from '../check.ts';

export const wordsMean: AnswerCheck = {
  name: 'words_mean',
  critical: true,
  ofPlan(plan, { now }) {
    const { read } = plan;
    if (read.by === 'approval') return passed(read.said);
    if (plan.plan !== 'compiled' || !read.asked) return null;
    const texts = read.asked;
    if (texts.some(isTooLong)) return undetermined('The question is too long to check its words. Ask a shorter one.');
    const words = meant(texts, plan.lensPlan, plan.granted.lens, now);
    const unsaid = words.filter(({ says }) => says === null).map(({ word }) => `“${word}”`);
    if (unsaid.length > 0) return failed(`The plan does not express ${unsaid.join(', ')}.`);
    return words.length > 0
      ? passed(words.map(({ word, says }) => `${word}: ${says}`).join('; '))
      : notApplicable('No word of the question restricts or quantifies.');
  },
};
