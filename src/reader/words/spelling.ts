// Recognizes two spellings of a word: "cancelled" and "canceled", "colour" and "color", "past due" and "past_due".
import { distance } from 'fastest-levenshtein';

const AMERICAN_FORMS: [RegExp, string][] = [
  [/([ae])ll(ed|ing|er|ers|ation|ations)\b/g, '$1l$2'],
  [/\b(\w{3,})our(s|ed|ing|ite|able|ful)?\b/g, '$1or$2'],
  [/\b(\w{3,})is(e|es|ed|ing|ation|ations)\b/g, '$1iz$2'],
  [/\b(\w{3,})ogue(s)?\b/g, '$1og$2'],
  [/\b(cent|theat|met|lit|fib)re(s)?\b/g, '$1er$2'],
  [/\bgrey\b/g, 'gray'],
];
/** Matches words whose root has one syllable. Their spelling doesn't change, as in "called", "seller" and "tour". */
const ONE_SYLLABLE_PATTERN = /^[^aeiouy]*[aeiouy]+ll(?:ed|ing|er|ers)$/;

/** Returns the same text for two spellings of a word. The argument must be folded. */
export const normalizeSpelling = (folded: string): string =>
  folded.replace(/\p{L}+/gu, (word) =>
    ONE_SYLLABLE_PATTERN.test(word) ? word : AMERICAN_FORMS.reduce((text, [from, to]) => text.replace(from, to), word),
  );

/** Normalizes a value so that separators between words and British or American spelling don't matter. */
export const toLooseSpelling = (folded: string): string => normalizeSpelling(folded.replace(/[\s_-]+/g, ' ').trim());

const BRITISH_FORMS: [RegExp, string][] = [
  [/([ae])l(ed|ing|er|ers|ation|ations)\b/g, '$1ll$2'],
  [/\b(\w{3,})or(s|ed|ing|ite|able|ful)?\b/g, '$1our$2'],
  [/\b(\w{3,})iz(e|es|ed|ing|ation|ations)\b/g, '$1is$2'],
  [/\bgray\b/g, 'grey'],
  [/\b(cent|theat|met|lit|fib)er(s)?\b/g, '$1re$2'],
];
/** Returns other spellings of a folded value: with spaces, underscores or hyphens, British or American. */
export function listOtherSpellings(folded: string): string[] {
  const singleSpelling = normalizeSpelling(folded);
  const words = [
    folded,
    singleSpelling,
    BRITISH_FORMS.reduce((text, [from, to]) => text.replace(from, to), singleSpelling),
  ];
  const joinedWords = words.flatMap((text) =>
    /[\s_-]/.test(text) ? [' ', '_', '-'].map((joint) => text.replace(/[\s_-]+/g, joint)) : [text],
  );
  return [...new Set(joinedWords)].filter((text) => text !== folded);
}

/** Returns the number of letters by which two words differ. Two swapped letters count as one difference. */
export const computeEditDistance = (one: string, other: string): number => {
  const baseDistance = distance(one, other);
  if (baseDistance < 2) return baseDistance;
  for (let index = 0; index + 1 < one.length; index++) {
    const swappedText = one.slice(0, index) + one[index + 1] + one[index] + one.slice(index + 2);
    if (swappedText !== one && distance(swappedText, other) === baseDistance - 2) return baseDistance - 1;
  }
  return baseDistance;
};
