// Numbers, amounts and periods.
import type { Language } from '../language/language.ts';
import { number, type Period } from '../meaning/terms.ts';
import { unitKey } from '../words/lexicon.ts';
import { timeAt } from '../words/time-expressions.ts';
import type { Token } from '../words/token.ts';
import { asAsked, type Leaf } from './leaf.ts';

/** Each word as the calendar has it; a word of another language than the calendar's is none of it. */
export const inCalendar = (tokens: readonly Token[], { calendar }: Language): readonly Token[] =>
  calendar.size === 0
    ? tokens
    : tokens.map((token) => {
        const norm = calendar.get(token.norm) ?? calendar.get(token.stem) ?? '';
        return token.kind === 'word' && !/^\d/.test(token.norm) ? { ...token, norm, stem: norm } : token;
      });

export const numbersAt = (
  tokens: readonly Token[],
  at: number,
  { units }: Language,
  periods: { calendar: readonly Token[]; context: { now: Date; timezone: string } },
): Leaf[] => {
  const found: Leaf[] = [];
  const token = tokens[at]!;
  if (token.kind === 'number' && token.value !== undefined) {
    found.push({ from: at, to: at + 1, cat: 'number', term: number(token.value, token.unit ?? null) });
    const unit =
      tokens[at + 1]?.kind === 'word' ? unitKey(units.get(tokens[at + 1]!.stem) ?? tokens[at + 1]!.stem) : null;
    if (unit !== null && !token.unit)
      found.push({ from: at, to: at + 2, cat: 'number', term: number(token.value, unit) });
  }
  const mention = timeAt(periods.calendar, at, periods.context);
  if (mention && !mention.fault) {
    const to = at + mention.length;
    const said = asAsked(tokens, at, to);
    const closed = mention.from !== null && mention.to !== null;
    const period: Period = {
      t: 'period',
      text: said,
      mention,
      key: `${mention.from}..${mention.to}`,
      features: closed ? ['closed'] : ['open'],
    };
    found.push({ from: at, to, cat: 'period', term: period });
  }
  return found;
};
