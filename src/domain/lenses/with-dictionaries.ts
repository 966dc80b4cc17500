// Adds dictionary values from the warehouse to a lens, and keeps the synonyms from the lens's file.
import type { Lens } from '../../lens/model/lens.ts';

export function withDictionaries(
  compiled: Lens,
  dictionaries: readonly { dataset: string; field: string; values: string[]; complete: boolean }[],
): Lens {
  const lens = structuredClone(compiled);
  for (const dictionary of dictionaries) {
    const field = lens.datasets
      .find(({ name }) => name === dictionary.dataset)
      ?.fields.find(({ name }) => name === dictionary.field);
    if (!field?.dictionaryFromWarehouse || field.masked) continue;
    const declaredSynonyms = new Map(field.dictionary?.values.map((entry) => [entry.value, entry.synonyms]));
    field.dictionary = {
      values: dictionary.values.map((value) => ({ value, synonyms: declaredSynonyms.get(value) ?? [] })),
      complete: dictionary.complete,
    };
  }
  return Object.freeze(lens);
}
