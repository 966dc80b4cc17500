// Rewrites idioms to forms that the grammar knows: "two or more orders" to "at least two orders", "his or
// her" to "their".
import type { Token } from '../words/token.ts';

const BOUNDS: Readonly<Record<string, string>> = {
  more: 'least',
  above: 'least',
  over: 'least',
  higher: 'least',
  greater: 'least',
  fewer: 'most',
  less: 'most',
  below: 'most',
  lower: 'most',
};
const PRONOUNS: Readonly<Record<string, string>> = {
  'his her': 'their',
  'her his': 'their',
  'he she': 'they',
  'she he': 'they',
};

const DEAR: Readonly<Record<string, string>> = { more: 'costlier', less: 'cheaper' };

export const plainIdioms = (tokens: Token[]): Token[] => {
  const plain: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]!;
    const [or, last] = [tokens[at + 1], tokens[at + 2]];
    // "more expensive than 100" becomes "costlier than 100".
    const dear = or?.norm === 'expensive' && last?.norm === 'than' ? DEAR[first.norm] : undefined;
    if (dear) {
      plain.push({ ...first, text: dear, norm: dear, stem: dear, end: or!.end });
      at += 1;
      continue;
    }
    const pronoun = PRONOUNS[`${first.norm} ${last?.norm ?? ''}`];
    if (pronoun && /^(?:or|\/)$/.test(or!.norm)) {
      plain.push({ ...first, text: pronoun, norm: pronoun, stem: pronoun, end: last!.end });
      at += 2;
      continue;
    }
    const way = Object.hasOwn(BOUNDS, last?.norm ?? '') ? BOUNDS[last!.norm] : undefined;
    const counted = first.kind === 'number' || first.norm === 'one';
    if (!counted || or?.norm !== 'or' || !way || tokens[at + 3]?.norm === 'than') {
      plain.push(first);
      continue;
    }
    for (const word of ['at', way])
      plain.push({ ...or, text: word, norm: word, stem: word, start: first.start, end: first.start });
    plain.push({ ...first, end: last!.end });
    at += 2;
  }
  return plain;
};
