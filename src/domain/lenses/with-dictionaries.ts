// Adds values from the warehouse to their lens, and keeps the synonyms in its file.
import type { Lens } from '../../lens/model/lens.ts';

export function withDictionaries(
  compiled: Lens,
  dictionaries: readonly { dataset: string; field: string; values: string[]; complete: boolean }[],
): Lens {
  const lens = structuredClone(compiled);
  for (const found of dictionaries) {
    const field = lens.datasets
      .find(({ name }) => name === found.dataset)
      ?.fields.find(({ name }) => name === found.field);
    if (!field?.dictionaryFromWarehouse || field.masked) continue;
    const declared = new Map(field.dictionary?.values.map((entry) => [entry.value, entry.synonyms]));
    field.dictionary = {
      values: found.values.map((value) => ({ value, synonyms: declared.get(value) ?? [] })),
      complete: found.complete,
    };
  }
  return Object.freeze(lens);
}
