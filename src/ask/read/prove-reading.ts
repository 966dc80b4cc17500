// Proves a plan from a language model, or one that an agent sent with its question. The reader also reads the question,
// without unknown words that can't restrict. If it produces the same statement, its reading covers every word.
import { replaceWords } from '../../domain/lenses/read-with-fillers.ts';
import { meaningsOf } from '../../reader/refused/word-meanings.ts';
import { type CompiledPlan, type EarlyEnd, type GrantedLens, isEarlyEnd, type ReadingProof } from '../outcome.ts';
import { type AskedQuestion, planQuestion } from './plan-question.ts';
import type { ProbeLimits } from './values/probe-values.ts';

/**
 * Words that never restrict an answer. "Realized", "obtained" and "respectively" can restrict it, so they are missing.
 */
const HARMLESS_WORDS: ReadonlySet<string> = new Set(
  'achieve achieved achieves achieving performing figures figure statistics stats wondering wonder curious basically'.split(
    ' ',
  ),
);

const isHarmlessWord = (word: string): boolean => HARMLESS_WORDS.has(word.toLowerCase());
/** The harmless words that name nothing in the lens. For example, "performing" may also be a value. */
const harmlessWordsIn = (question: string, { lens }: GrantedLens, { now }: ProbeLimits): string[] =>
  meaningsOf({ question, lens, now }).seen.flatMap((item) =>
    item.is === 'grammar' && isHarmlessWord(item.text) ? [item.text] : [],
  );

export async function proveReading(
  granted: GrantedLens,
  asked: AskedQuestion,
  plan: CompiledPlan,
  first: CompiledPlan | EarlyEnd,
  limits: ProbeLimits,
): Promise<ReadingProof> {
  const unexplained: string[] = [];
  let { question } = asked;
  let read = first;
  while (isEarlyEnd(read)) {
    const unplaced = read.end === 'refused' ? read.unplaced.map(({ text }) => text) : [];
    const unread = unplaced.length > 0 ? unplaced : harmlessWordsIn(question, granted, limits);
    const open = unread.filter((word) => !isHarmlessWord(word));
    const rest = replaceWords(question, unread);
    if (open.length > 0)
      return differentReading(`Not accounted for: ${open.map((word) => `“${word}”`).join(', ')}.`, open);
    if (read.end !== 'refused') return differentReading('With only the words of the lens, the question is ambiguous.');
    if (rest === question)
      return differentReading('With only the words of the lens, svc can’t interpret the question.');
    unexplained.push(...unread);
    question = rest;
    read = await planQuestion(granted, { ...asked, question }, limits);
  }
  if (read.compiled.sql !== plan.compiled.sql)
    return differentReading(
      `With only the words of the lens, svc interprets the question differently: ${read.scope.sentence}`,
    );
  const { words, doubt } = read.read.by === 'reader' ? read.read : { words: [], doubt: null };
  return { same: true, omitted: unexplained, words, doubt };
}

const differentReading = (why: string, open: readonly string[] = []): ReadingProof => ({ same: false, why, open });
