// English number words: "five", "twenty-five", "two hundred and fifty", "1.5 million". "one" and "second" alone are no
// numbers: "which one", "the second".
interface Wordish {
  kind: string;
  norm: string;
  value?: number;
}

const SMALL: Record<string, number> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Record<string, number> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10]),
);
const SCALES: Record<string, number> = {
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
  billion: 1_000_000_000,
  dozen: 12,
};
const own = (table: Record<string, number>, word: string): number | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

export const numberWordAt = (tokens: readonly Wordish[], start: number): { value: number; length: number } | null => {
  const first = tokens[start]!;
  const next = tokens[start + 1];
  // "half a million", "a thousand"
  if (first.kind === 'word' && first.norm === 'half' && next?.norm === 'a') {
    const scale = own(SCALES, tokens[start + 2]?.norm ?? '');
    return scale === undefined ? null : { value: scale / 2, length: 3 };
  }
  if (first.kind === 'word' && first.norm === 'a') {
    const scale = own(SCALES, next?.norm ?? '');
    return scale === undefined ? null : { value: scale, length: 2 };
  }
  let total = 0;
  let part: number | null = null;
  let at = start;
  if (first.kind === 'number') {
    if (own(SCALES, tokens[start + 1]?.norm ?? '') === undefined) return null;
    part = first.value!;
    at++;
  }
  for (; at < tokens.length; at++) {
    const { kind, norm } = tokens[at]!;
    const scale = own(SCALES, norm);
    const digit = own(SMALL, norm);
    const ten = own(TENS, norm);
    if (kind === 'punct' && norm === '-' && part !== null && own(SMALL, tokens[at + 1]?.norm ?? '') !== undefined)
      continue;
    if (kind !== 'word' && kind !== 'punct') break;
    if (
      digit !== undefined &&
      (part === null || (part % 100 >= 20 && part % 10 === 0) || (part >= 100 && part % 100 === 0))
    )
      part = (part ?? 0) + digit;
    else if (ten !== undefined && (part === null || part % 100 === 0)) part = (part ?? 0) + ten;
    else if (scale === 100 && part !== null) part *= 100;
    else if (scale !== undefined && part !== null) {
      total += part * scale;
      part = null;
    } else if (
      norm === 'and' &&
      (part !== null || total > 0) &&
      follows(tokens[at + 1]) &&
      at > start &&
      scaled(tokens[at - 1]!)
    ) {
    } else break;
  }
  const length = at - start;
  // "more than one bathroom", "only one order" have a number all the same.
  const compared = /^(?:than|least|most|only|exactly)$/.test(tokens[start - 1]?.norm ?? '');
  if (length === 0 || (length === 1 && first.norm === 'one' && !compared)) return null;
  return { value: total + (part ?? 0), length };
};
const scaled = (token: Wordish): boolean => own(SCALES, token.norm) !== undefined;
const follows = (token: Wordish | undefined): boolean =>
  token !== undefined && (own(SMALL, token.norm) !== undefined || own(TENS, token.norm) !== undefined);

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
export const ordinal = (word: string): number | null => {
  const at = ORDINALS.indexOf(word);
  if (at >= 0) return at + 1;
  const match = /^(\d+)(?:st|nd|rd|th)$/.exec(word);
  return match ? Number(match[1]) : null;
};
