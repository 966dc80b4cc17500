// Finds numbers, amounts and periods.
import { ENGLISH } from '../english/english.ts';
import { number, type Period } from '../meaning/terms.ts';
import { unitKey } from '../words/lexicon.ts';
import { timeAt } from '../words/time-expressions.ts';
import type { Token } from '../words/token.ts';
import { type Leaf, sourceText } from './leaf.ts';

export const numbersAt = (tokens: readonly Token[], at: number, context: { now: Date; timezone: string }): Leaf[] => {
  const found: Leaf[] = [];
  const token = tokens[at]!;
  if (token.kind === 'number' && token.value !== undefined) {
    found.push({ from: at, to: at + 1, cat: 'number', term: number(token.value, token.unit ?? null) });
    const unit = tokens[at + 1]?.kind === 'word' ? unitKey(tokens[at + 1]!.stem) : null;
    if (unit !== null && !token.unit)
      found.push({ from: at, to: at + 2, cat: 'number', term: number(token.value, unit) });
  }
  const mention = timeAt(tokens, at, context);
  if (mention && !mention.fault) {
    const to = at + mention.length;
    const asWritten = sourceText(tokens, at, to);
    const closed = mention.from !== null && mention.to !== null;
    const period: Period = {
      t: 'period',
      text: asWritten,
      mention,
      key: `${mention.from}..${mention.to}`,
      // "opened from March 2024" can mean in that month, or from then on.
      features: [
        closed ? 'closed' : 'open',
        ...(mention.ends ? ['range'] : []),
        ...(token.norm === ENGLISH.from && closed && !mention.ends ? ['from'] : []),
      ],
    };
    found.push({ from: at, to, cat: 'period', term: period });
  }
  return found;
};
