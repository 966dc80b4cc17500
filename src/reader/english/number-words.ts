// Parses English number words: "five", "twenty-five", "a thousand", "1.5 million". "one" and "second" alone aren't
// numbers, as in "which one" and "the second".
interface TextToken {
  kind: string;
  norm: string;
  value?: number;
}

const NUMBERS_BELOW_TWENTY =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS_WORDS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const SMALL_NUMBERS = new Map<string, number>([
  ...NUMBERS_BELOW_TWENTY.split(' ').map((word, value) => [word, value] as const),
  ...TENS_WORDS.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
]);
const NUMBER_SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['dozen', 12],
]);

export const readNumberWord = (
  tokens: readonly TextToken[],
  start: number,
): { value: number; length: number } | null => {
  const norm = (offset: number): string => tokens[start + offset]?.norm ?? '';
  const first = tokens[start]!;
  const digits = first.kind === 'number' ? first.value : SMALL_NUMBERS.get(norm(0));
  const dash = norm(1) === '-' ? 1 : 0;
  const [ten, one] = [digits ?? 0, SMALL_NUMBERS.get(norm(1 + dash)) ?? 0];
  const isPair = first.kind !== 'number' && ten >= 20 && one > 0 && one < 10;
  const value = isPair ? ten + one : (digits ?? (norm(0) === 'a' ? 1 : null));
  const length = isPair ? 2 + dash : 1;
  const scale = NUMBER_SCALES.get(norm(length));
  if (value === null || (scale === undefined && (first.kind === 'number' || norm(0) === 'a'))) return null;
  // A part of a longer number isn't a number. For example, svc doesn't read "fifty" in "two hundred and fifty" as 50.
  if (
    scale &&
    (NUMBER_SCALES.has(norm(length + 1)) ||
      SMALL_NUMBERS.has(norm(length + 1)) ||
      (norm(length + 1) === 'and' && SMALL_NUMBERS.has(norm(length + 2))))
  )
    return null;
  if (scale) return { value: value * scale, length: length + 1 };
  // "one" is a number in "more than one bathroom" and "only one order".
  const isCompared = /^(?:than|least|most|only|exactly)$/.test(norm(-1));
  return norm(0) === 'one' && length === 1 && !isCompared ? null : { value, length };
};

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
export const parseOrdinal = (word: string): number | null => {
  const index = ORDINALS.indexOf(word);
  if (index >= 0) return index + 1;
  const match = /^(\d+)(?:st|nd|rd|th)$/.exec(word);
  return match ? Number(match[1]) : null;
};
