// Maps the singular and plural of a word to the same stem. The stem doesn't have to be an English word, because svc
// derives the stems of names and of questions in the same way.
import { toSingular } from '../../lens/model/singular.ts';

const stemCache = new Map<string, string>();

/** `word` must already be folded (see foldText). */
export const findStem = (word: string): string => {
  const cachedStem = stemCache.get(word);
  if (cachedStem !== undefined) return cachedStem;
  const root = toSingular(word);
  if (stemCache.size < 20_000) stemCache.set(word, root);
  return root;
};

export const findGrammaticalNumber = (word: string): 'one' | 'many' => (findStem(word) === word ? 'one' : 'many');

/** Possible stems of an inflected verb: `shipped` -> ship, `composed` -> compos, `hiring` -> hir. */
const IRREGULAR_ROOTS: Readonly<Record<string, string>> = {
  ridden: 'rid',
  rode: 'rid',
  written: 'writ',
  wrote: 'writ',
  taken: 'tak',
  took: 'tak',
  given: 'giv',
  gave: 'giv',
  driven: 'driv',
  drove: 'driv',
};
export const toVerbRoot = (word: string): string => {
  const irregular = Object.hasOwn(IRREGULAR_ROOTS, word) ? IRREGULAR_ROOTS[word] : undefined;
  if (irregular) return irregular;
  const strippedWord = word.replace(/(?:ing|ed|ers?|ors?|es|s|e|ment|tion)$/, '');
  return /([^aeiouls])\1$/.test(strippedWord) ? strippedWord.slice(0, -1) : strippedWord;
};

const DERIVED_ENDING_PATTERN =
  /^(?:[es]|es|e?d|d|e?rs?|ors?|ings?|ments?|(?:at|it|s)?ions?|als?|up|in|out|off|over|ances?|ences?|ures?|ees?|ages?|ery|ants?|ents?|less|y|ies|n|ns)?$/;
/**
 * Returns true if a name derives from the verb's root. For example, "hire", "hiring" and "hirer" derive from "hired",
 * and "enrolment" derives from "enrolled". Returns false for "first" and "fired", or for "currency" and "cured".
 */
export const derivesFromRoot = (name: string, root: string): boolean => {
  if (root.length < 3 || name.length < 3) return false;
  if (root === name || root === name + name.at(-1) || root === `${name}at`) return true;
  const strippedRoot = root.endsWith('i') ? root.slice(0, -1) : root;
  if (root.endsWith('i') && name === `${strippedRoot}y`) return true;
  if (!name.startsWith(root)) return false;
  const rest = name.slice(root.length);
  return DERIVED_ENDING_PATTERN.test(rest) && !(root.length < 4 && /^(?:y|ies|ents?|n|ns)$/.test(rest));
};

const PAST_PARTICIPLE_PATTERN =
  /^(?:for|mis|out|over|re|under|with)?(?:held|sold|built|paid|made|bought|begun|began|written|wrote|drawn|flown|taken|took|given|gave|won|lost|sung|sang|met|ran|laid|kept|brought|caught|taught|broken|chosen|driven|ridden)$/;
/** Returns true if the word describes an event that happened to an entity, such as "shipped", "born" or "withheld". */
export const isParticiple = (word: string): boolean =>
  /^\w+(?:ed|orn|eft|ent)$/.test(word) || PAST_PARTICIPLE_PATTERN.test(word);
