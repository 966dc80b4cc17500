// A typo in the first words of a question: "Hom many", "Cound the number", "What si the". Only these few
// words are corrected, and only before the words that always follow them, because they carry no content.
import { distance } from 'fastest-levenshtein';
import type { Token } from '../words/token.ts';

const OPENINGS: [word: string, next: RegExp][] = [
  ['how', /^(?:many|much)$/],
  ['what', /^(?:is|are|was|were|si)$/],
  ['count', /^(?:the|all)$/],
  ['find', /^(?:the|all|out)$/],
  ['list', /^(?:the|all)$/],
  ['show', /^(?:the|all|me)$/],
  ['give', /^(?:the|all|me)$/],
];
/** Valid words that look like typos of the others. */
const OTHERS = /^(?:lost|last|fine|fund|kind|mind|wind|line|lint|fist|snow|slow|shop|shoe|live|hat|cost|court|mount)$/;
const near = (one: string, other: string): boolean =>
  one !== other && (distance(one, other) === 1 || [...one].sort().join('') === [...other].sort().join(''));

export const mendOpening = (tokens: Token[]): Token[] => {
  const [first, second] = tokens;
  if (first?.kind !== 'word' || !second) return tokens;
  const asks = /^(?:what|who|which|where|when)$/.test(first.norm);
  if (second.kind !== 'word' && !(asks && second.norm === "'s")) return tokens;
  const mended = [...tokens];
  const put = (at: number, word: string): void => {
    mended[at] = { ...tokens[at]!, kind: 'word', norm: word, stem: word };
  };
  if (!OPENINGS.some(([word]) => word === first.norm) && !/^(?:who|which|where|when)$/.test(first.norm)) {
    const meant = OPENINGS.filter(
      ([word, next]) => !OTHERS.test(first.norm) && near(first.norm, word) && next.test(second.norm),
    );
    if (meant.length === 1) put(0, meant[0]![0]);
  }
  if (asks && /^(?:si|'s)$/.test(second.norm)) put(1, 'is');
  return mended;
};
