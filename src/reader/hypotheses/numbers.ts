// Finds numbers, amounts and periods.
import { createNumber, createPeriod } from '../meaning/terms.ts';
import { readTimeMention } from '../words/time-expressions.ts';
import type { QuestionToken } from '../words/token.ts';
import { toUnitKey } from '../words/units.ts';
import { joinTokenTexts, type WordHypothesis } from './word-hypothesis.ts';

export const findNumberHypotheses = (
  tokens: readonly QuestionToken[],
  start: number,
  context: { now: Date; timezone: string },
): WordHypothesis[] => {
  const leaves: WordHypothesis[] = [];
  const token = tokens[start]!;
  if (token.kind === 'number' && token.value !== undefined) {
    leaves.push({ from: start, to: start + 1, cat: 'number', term: createNumber(token.value, token.unit ?? null) });
    const unit = tokens[start + 1]?.kind === 'word' ? toUnitKey(tokens[start + 1]!.stem) : null;
    if (unit !== null && !token.unit)
      leaves.push({ from: start, to: start + 2, cat: 'number', term: createNumber(token.value, unit) });
  }
  const mention = readTimeMention(tokens, start, context);
  if (mention && !mention.fault) {
    const to = start + mention.length;
    const asWritten = joinTokenTexts(tokens, start, to);
    const isClosed = mention.from !== null && mention.to !== null;
    // Marks "from" before a period, because "opened from March 2024" can mean opened in that month, or opened in or
    // after that month.
    const period = createPeriod(asWritten, mention, [
      isClosed ? 'closed' : 'open',
      ...(mention.ends ? ['range'] : []),
      ...(token.norm === 'from' && isClosed && !mention.ends ? ['from'] : []),
    ]);
    leaves.push({ from: start, to, cat: 'period', term: period });
  }
  return leaves;
};
