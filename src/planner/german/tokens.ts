// What belongs together in German: "5. Mai", "2. Quartal", "05.05.2016", "zehn", "2 Millionen".
import type { Token } from '../words/token.ts';
import { piecesIn, type Tokens } from '../words/tokens.ts';
import { CALENDAR_WORDS } from './calendar.ts';
import { INFLECTION } from './inflection.ts';

const NUMBERS = new Map(
  'null zwei drei vier funf sechs sieben acht neun zehn elf zwolf'
    .split(' ')
    .map((word, at) => [word, at === 0 ? 0 : at + 1] as const),
);
const SCALES = new Map([
  ['dutzend', 12],
  ['hundert', 100],
  ['tausend', 1e3],
  ['million', 1e6],
  ['milliard', 1e9],
]);
const DATED = new Set(['day', 'month', 'quarter', 'half']);

const pieces = piecesIn({ thousands: '.', decimal: ',' }, INFLECTION.stem);

export const tokensOf = (question: string): Tokens => {
  const found = pieces(question);
  const list: Token[] = [];
  for (let at = 0; at < found.list.length; at++) {
    const token = found.list[at]!;
    const [next, behind] = [found.list[at + 1], found.list[at + 2]];
    const day = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(token.norm);
    const spelled = NUMBERS.get(token.norm);
    const value = token.kind === 'number' ? token.value : token.kind === 'word' ? spelled : undefined;
    const scale = value === undefined ? undefined : SCALES.get(next?.stem ?? '');
    if (day) {
      const norm = `${day[3]}-${day[2]!.padStart(2, '0')}-${day[1]!.padStart(2, '0')}`;
      list.push({ ...token, kind: 'word', norm, stem: norm });
    } else if (value !== undefined && next?.norm === '.' && next.start === token.end && isDated(behind)) {
      list.push({ ...token, kind: 'word', norm: `${value}th`, stem: `${value}th`, end: next.end });
      at++;
    } else if (scale !== undefined) {
      list.push({
        ...token,
        kind: 'number',
        text: `${token.text} ${next!.text}`,
        value: value! * scale,
        end: next!.end,
      });
      at++;
    } else if (spelled !== undefined && token.kind === 'word') list.push({ ...token, kind: 'number', value: spelled });
    else list.push(token);
  }
  return { ...found, list };
};

const MONTHS = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;
const isDated = (token: Token | undefined): boolean => {
  const symbol = CALENDAR_WORDS.get(token?.norm ?? '') ?? CALENDAR_WORDS.get(token?.stem ?? '') ?? '';
  return DATED.has(symbol) || MONTHS.test(symbol);
};
