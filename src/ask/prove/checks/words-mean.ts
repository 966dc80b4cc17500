// Checks that the plan expresses each restricting or quantifying word, such as "only", "every", "except" and "twice".
import { findUnknownWords, findWordMeanings } from '../../../reader/refused/word-meanings.ts';
import { findExpressedWords } from '../../../reader/restrictions/express-words.ts';
import { isTooLong } from '../../../reader/words/length-limit.ts';
import {
  type AnswerCheck,
  createFailVerdict,
  createInapplicableVerdict,
  createPassVerdict,
  createUnknownVerdict,
} from '../check.ts';

export const wordsMeanCheck: AnswerCheck = {
  name: 'words_mean',
  critical: true,
  checkPlan(plan, { now }) {
    const { readingOrigin: readBy } = plan;
    if (readBy.by === 'approval') return createPassVerdict(readBy.detail);
    if (plan.plan !== 'compiled' || !readBy.asked) return null;
    const texts = readBy.asked;
    if (texts.some(isTooLong))
      return createUnknownVerdict('The question is too long to check its words. Ask a shorter question.');
    const words = findExpressedWords(texts, plan.lensPlan, plan.grantedLens.lens, now);
    const unexpressedWords = words.filter(({ says }) => says === null).map(({ word }) => `“${word}”`);
    if (unexpressedWords.length > 0) {
      const { lens } = plan.grantedLens;
      const unknownWords = texts.flatMap((question) => findUnknownWords(findWordMeanings({ question, lens, now })));
      return unknownWords.length === 0
        ? createFailVerdict(`The plan does not express ${unexpressedWords.join(', ')}.`)
        : createUnknownVerdict(
            `svc can’t tell whether the plan expresses ${unexpressedWords.join(', ')}, because svc doesn’t know ${unknownWords.map(({ text }) => `“${text}”`).join(', ')}.`,
          );
    }
    return words.length > 0
      ? createPassVerdict(words.map(({ word, says }) => `${word}: ${says}`).join('; '))
      : createInapplicableVerdict('No word of the question restricts or quantifies.');
  },
};
