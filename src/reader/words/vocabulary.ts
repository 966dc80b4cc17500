// The vocabulary of a lens: phrases that name something, and values of dictionaries. svc builds the vocabulary once for
// each lens object.
import type { Lens, LensDataset, LensField } from '../../lens/model/lens.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { findDisplayFields } from './field-names.ts';
import { createJoinGraph, type JoinGraph } from './join-graph.ts';
import { toPhraseKey } from './phrase-key.ts';
import { PhraseTable } from './phrase-table.ts';
import { listOtherSpellings } from './spelling.ts';
import { foldValue } from './tokens.ts';
import type { VocabularyTerm } from './vocabulary-term.ts';

export interface VocabularyValue {
  folded: string;
  dataset: string;
  field: LensField;
  value: string;
}

export interface Vocabulary {
  lens: Lens;
  /** Returns the key of a name in `phrases`. */
  key(text: string): string;
  graph: JoinGraph;
  phrases: Map<string, VocabularyTerm[]>;
  maxPhraseWords: number;
  /** Values, keyed by their first sequence of letters and digits. */
  values: Map<string, VocabularyValue[]>;
  /** Returns the values with exactly this folded spelling. */
  valuesSpelled(folded: string): VocabularyValue[];
  dataset(name: string): LensDataset;
  /**
   * Returns the fields that name a row of the dataset: name, title, or first and last name. Returns an empty list if no
   * field names a row.
   */
  displayFieldsOf(dataset: string): LensField[];
}

export const findFirstWord = (folded: string): string => /[\p{L}\p{N}]+/u.exec(folded)?.[0] ?? '';

function buildVocabulary(lens: Lens): Vocabulary {
  const displays = new Map(lens.datasets.map((dataset) => [dataset.name, findDisplayFields(dataset)]));
  const byName = new Map(lens.datasets.map((dataset) => [dataset.name, dataset]));
  const displayFieldsOf = (name: string): LensField[] => displays.get(name) ?? [];
  const { phrases, maxPhraseWords } = new PhraseTable(lens, displayFieldsOf);
  const values = collectValues(lens);
  return {
    ...{ lens, key: toPhraseKey, graph: createJoinGraph(lens), phrases, maxPhraseWords, displayFieldsOf },
    values,
    valuesSpelled: (folded) => (values.get(findFirstWord(folded)) ?? []).filter((entry) => entry.folded === folded),
    dataset: (name) => byName.get(name)!,
  };
}

/** Lists each value in its own spelling, in declared spellings, and in other spellings that no other value has. */
function collectValues(lens: Lens): Map<string, VocabularyValue[]> {
  const values = new Map<string, VocabularyValue[]>();
  for (const dataset of lens.datasets) {
    for (const field of dataset.fields) {
      if (field.masked) continue;
      const storedSpellings = new Set<string>();
      const addEntry = (folded: string, value: string): void => {
        if (!folded) return;
        const key = findFirstWord(folded);
        const list = values.get(key) ?? [];
        list.push({ folded, dataset: dataset.name, field, value });
        values.set(key, list);
        storedSpellings.add(folded);
      };
      const dictionaryValues = field.dictionary?.values ?? [];
      for (const { value, synonyms } of dictionaryValues)
        for (const text of [value, ...synonyms]) addEntry(foldValue(text), value);
      // An alternative spelling never replaces a value with exactly that spelling.
      for (const { value } of dictionaryValues)
        for (const spelling of listOtherSpellings(foldValue(value)))
          if (!storedSpellings.has(spelling)) addEntry(spelling, value);
    }
  }
  return values;
}

export const getVocabulary: (lens: Lens) => Vocabulary = computeOnce(buildVocabulary);
