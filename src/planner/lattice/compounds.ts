// What a language writes as one word, where the lens knows a part of it by name: "Gesamtumsatz", "Umsatzwachstum".
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

const LEAST = 3; // letters of a name

export const apart = (tokens: readonly Token[], { language, phrases }: Vocabulary): readonly Token[] => {
  const { heads, tails } = language.compounds;
  if (heads.length + tails.length === 0) return tokens;
  const { stem } = language.inflection;
  const isName = (part: string): boolean => part.length >= LEAST && phrases.has(stem(part));
  const part = (token: Token, from: number, to: number): Token => ({
    ...token,
    text: token.text.slice(from, to),
    norm: token.norm.slice(from, to),
    stem: stem(token.norm.slice(from, to)),
    start: token.start + from,
    end: token.start + to,
  });
  return tokens.flatMap((token) => {
    const { kind, norm } = token;
    if (kind !== 'word' || norm.length !== token.end - token.start || isName(norm)) return [token];
    const head = heads.find((one) => norm.startsWith(one) && isName(norm.slice(one.length)));
    if (head) return [part(token, 0, head.length), part(token, head.length, norm.length)];
    const tail = tails.find((one) => norm.endsWith(one));
    if (!tail) return [token];
    const ends = norm.length - tail.length;
    // "Bestellungsanzahl": an s may stand between.
    const name = [ends, ...(norm[ends - 1] === 's' ? [ends - 1] : [])].find((end) => isName(norm.slice(0, end)));
    return name === undefined ? [token] : [part(token, 0, name), part(token, ends, norm.length)];
  });
};
