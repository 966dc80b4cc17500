// Suggests likely meanings of an unknown word: names and values with similar spelling, or synonyms.
import type { Lens } from '../../lens/model/lens.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { findStem } from '../english/inflection.ts';
import { isGrammarWord, SPELLABLE_GRAMMAR_WORDS } from '../words/grammar-words.ts';
import { groupByKey } from '../words/group-by-key.ts';
import { splitWords } from '../words/phrase-key.ts';
import { computeEditDistance, toLooseSpelling } from '../words/spelling.ts';
import { foldValue } from '../words/tokens.ts';

export interface NearName {
  kind: 'metric' | 'field' | 'dataset' | 'definition' | 'value' | 'spelling';
  name: string;
  /** The field that contains the value. */
  field?: string;
  /** The text that replaces the word in the question. */
  replacement: string;
  /** True if the word is a misspelling of this name. */
  typo: boolean;
}
interface NearNameCandidate {
  nearName: Omit<NearName, 'typo'>;
  folded: string;
  /** True if the text is only one word of a longer name. */
  part?: true;
}

const MAX_NEAR_NAMES = 3;
const MAX_COMPARED_VALUES = 50_000;

const SYNONYM_GROUPS: readonly (readonly string[])[] = [
  'revenue sale turnover income takings receipts billing billed'.split(' '),
  'profit earning margin gain'.split(' '),
  'customer client buyer account shopper consumer patron guest member'.split(' '),
  'employee staff worker personnel colleague'.split(' '),
  'supplier vendor provider'.split(' '),
  'product item article good merchandise sku'.split(' '),
  'order purchase booking'.split(' '),
  'price cost fee charge'.split(' '),
  'quantity unit volume piece'.split(' '),
  'ticket case issue incident request'.split(' '),
  'invoice bill'.split(' '),
  'region area territory zone'.split(' '),
  'city town'.split(' '),
  'state province'.split(' '),
  'category class group segment type kind'.split(' '),
  'status state stage'.split(' '),
  'salary wage pay compensation'.split(' '),
  'department team division unit'.split(' '),
];

export const findNearestNames = (
  lens: Lens,
  text: string,
  hiddenFields: ReadonlySet<string> = new Set(),
): NearName[] => {
  const foldedText = foldValue(text);
  if (foldedText.length < 2) return [];
  const rankedNames: { nearName: NearName; distance: number; part?: true }[] = [];
  for (const { nearName, folded, part } of findSimilarCandidates(lens, foldedText)) {
    if (nearName.field !== undefined && hiddenFields.has(nearName.field)) continue;
    const editCount = isSameSpelling(foldedText, folded) ? 0 : countTypos(foldedText, folded);
    const maxTypos = nearName.kind === 'value' || nearName.kind === 'spelling' ? 1 : 2;
    if (editCount === null || editCount > maxTypos) continue;
    rankedNames.push({ nearName: { ...nearName, typo: editCount > 0 }, distance: editCount, part });
  }
  const minDistance = Math.min(...rankedNames.map(({ distance }) => distance));
  const nearestNames = rankedNames.filter(({ distance }) => distance === minDistance);
  const hasFullMatch = nearestNames.some(({ part }) => !part);
  const spelledNames = nearestNames
    .filter(({ part }) => !part || !hasFullMatch)
    .sort((item, other) => KIND_PRIORITIES[item.nearName.kind] - KIND_PRIORITIES[other.nearName.kind])
    .map(({ nearName }) => nearName);
  // A word with synonyms in the lens isn't a typo. For example, svc suggests customers for "accounts", and not counts.
  const synonyms = findSynonymousNames(lens, foldedText);
  const names = minDistance === 0 || synonyms.length === 0 ? [...spelledNames, ...synonyms] : synonyms;
  const uniqueNames = new Map(
    names.map((nearName) => [`${nearName.kind} ${nearName.field ?? ''} ${nearName.name}`, nearName]),
  );
  return [...uniqueNames.values()].slice(0, MAX_NEAR_NAMES);
};

const KIND_PRIORITIES: Record<NearName['kind'], number> = {
  metric: 0,
  field: 1,
  dataset: 2,
  definition: 3,
  spelling: 4,
  value: 5,
};

/** Returns true if one word is a misspelling or another spelling of the other. */
export const isSimilarSpelling = (one: string, other: string): boolean =>
  isSameSpelling(one, other) || countTypos(one, other) !== null;

/** Different spellings of a word start with the same letter. */
const isSameSpelling = (one: string, other: string): boolean =>
  one === other || (one[0] === other[0] && toLooseSpelling(one) === toLooseSpelling(other));

/**
 * Returns the number of typos between two words of similar length that start alike. Returns null if they are different
 * words.
 */
const countTypos = (one: string, other: string): number | null => {
  const [length, difference] = [Math.min(one.length, other.length), Math.abs(one.length - other.length)];
  if (length < 3 || difference > 2 || countWords(one) !== countWords(other)) return null;
  const hasSameStart = one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);
  // A different short word isn't a typo, unless it lacks a vowel. For example, "pln" is a typo of plan, but "win" isn't
  // a typo of wind.
  const maxTypos = length === 3 ? (difference === 1 && !/[aeiouy]/.test(one) ? 1 : 0) : length < 6 ? 1 : 2;
  if (!hasSameStart || difference > maxTypos) return null;
  const editCount = computeEditDistance(one, other);
  return editCount <= maxTypos ? editCount : null;
};
const countWords = (text: string): number => text.split(' ').length;

/** A dataset, metric, field or definition, with the words that name it. */
interface NamedObject {
  nearName: NearName;
  phrases: readonly string[];
  /** The stems of all words in `phrases`. Excludes words in names of identifiers, such as "sales rep id". */
  stems: ReadonlySet<string>;
}
const IDENTIFIER_WORDS: ReadonlySet<string> = new Set(['id', 'key', 'code', 'no', 'number']);
const listNamedObjects = ({ datasets, metrics, definitions }: Lens): NamedObject[] => {
  const createNamed = (kind: NearName['kind'], name: string, phrases: readonly string[]): NamedObject => ({
    nearName: { kind, name, replacement: splitWords(phrases[0]!).join(' '), typo: false },
    phrases,
    stems: new Set(
      phrases
        .map(splitWords)
        .filter((words) => !IDENTIFIER_WORDS.has(words.at(-1)!))
        .flat()
        .map(findStem),
    ),
  });
  return [
    ...datasets.map(({ name, synonyms }) => createNamed('dataset', name, [name, ...synonyms])),
    ...metrics.map(({ name, synonyms }) => createNamed('metric', name, [name, ...synonyms])),
    ...datasets.flatMap(({ name: dataset, fields }) =>
      fields.map(({ name, synonyms }) => createNamed('field', `${dataset}.${name}`, [name, ...synonyms])),
    ),
    ...definitions.map(({ term, synonyms }) => createNamed('definition', term, [term, ...synonyms])),
  ];
};

/** Indexes all names and values by first letter, so that svc finds the candidates for a misspelled word. */
const getNameIndex = computeOnce((lens: Lens) => {
  const objects = listNamedObjects(lens);
  return { objects, byFirstLetter: groupByKey(listCandidates(lens, objects), ({ folded }) => folded[0] ?? '') };
});

/** A typo starts with the same letter as the name, or with its first two letters swapped. */
const findSimilarCandidates = (lens: Lens, foldedText: string): NearNameCandidate[] =>
  [...new Set(foldedText.slice(0, 2))].flatMap((letter) => getNameIndex(lens).byFirstLetter.get(letter) ?? []);

const listCandidates = (lens: Lens, objects: readonly NamedObject[]): NearNameCandidate[] => [
  ...objects.flatMap(({ nearName, phrases }) =>
    phrases.flatMap((phrase): NearNameCandidate[] => {
      const words = splitWords(phrase);
      const parts = words.length > 1 ? words.filter((word) => word.length > 3 && !isGrammarWord(word)) : [];
      const folded = words.join(' ');
      return [
        { nearName: { ...nearName, replacement: folded }, folded },
        ...parts.map((word) => ({
          nearName: { ...nearName, replacement: nearName.kind === 'metric' ? nearName.replacement : word },
          folded: word,
          part: true as const,
        })),
      ];
    }),
  ),
  ...SPELLABLE_GRAMMAR_WORDS.map((word) => ({
    nearName: { kind: 'spelling' as const, name: word, replacement: word },
    folded: word,
  })),
  ...listValueCandidates(lens),
];
function* listValueCandidates({ datasets }: Lens): Generator<NearNameCandidate> {
  let remaining = MAX_COMPARED_VALUES;
  for (const { name: dataset, fields } of datasets)
    for (const { name, masked, dictionary } of fields)
      for (const { value, synonyms } of (!masked && dictionary?.values) || [])
        for (const text of [value, ...synonyms]) {
          if (remaining-- === 0) return;
          const nearName = { kind: 'value' as const, name: value, field: `${dataset}.${name}`, replacement: value };
          yield { nearName, folded: foldValue(text) };
        }
}

/** Names that contain synonyms of the word. */
function findSynonymousNames(lens: Lens, foldedText: string): NearName[] {
  const root = findStem(foldedText);
  const synonyms = SYNONYM_GROUPS.filter((row) => row.includes(root)).flat();
  return getNameIndex(lens).objects.flatMap(({ nearName, stems }) =>
    nearName.kind !== 'definition' && synonyms.some((synonym) => synonym !== root && stems.has(synonym))
      ? [nearName]
      : [],
  );
}
