// Suggests a fix for the unknown words of a question: a synonym of a metric, field or value, or a new definition.
import { distance } from 'fastest-levenshtein';
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { normalizeQuestion } from '../../reader/meaning-check.ts';

export interface GapFixSuggestion {
  text: string;
  change: PatchChange | null;
}
/** Function words, such as articles and prepositions, can't name a metric or a field by themselves. */
const FUNCTION_WORDS = new Set(
  'a an and are as at average be between by count do does for from have how in is it its least many mean most much number of on or over per sum than that the their to total under was were what when where which who whose with without'.split(
    ' ',
  ),
);

export function suggestGapFix(lens: Lens, missingWords: readonly string[], question: string): GapFixSuggestion {
  const phrase = findLongestMissingPhrase(missingWords, question);
  if (phrase === null)
    return {
      text:
        missingWords.length === 0
          ? 'svc knows these words, but not this combination. Certify the question, or add a metric for it.'
          : `The lens has no meaning for ${missingWords.map((word) => `“${word}”`).join(', ')} here. Certify the question, or add a metric for it.`,
      change: null,
    };
  const nearestMatch = findNearestName(lens, phrase);
  if (nearestMatch?.of === 'value')
    return {
      text: `“${phrase}” is similar to “${nearestMatch.value}”, a value of ${nearestMatch.name}. Is it a synonym?`,
      change: nearestMatch.isListed
        ? { kind: 'value_synonym', field: nearestMatch.name, value: nearestMatch.value, synonym: phrase }
        : null,
    };
  if (nearestMatch)
    return {
      text: `“${phrase}” is similar to the ${nearestMatch.of} ${nearestMatch.name}. Is it a synonym?`,
      change: { kind: 'synonym', of: nearestMatch.of, name: nearestMatch.name, synonym: phrase },
    };
  return {
    text: `Lens ${lens.name} has nothing named “${phrase}”. Add it as a synonym of a name, or add a definition with a metric or a filter.`,
    change: { kind: 'definition', term: phrase, meaning: `Write here what “${phrase}” means.` },
  };
}

function findLongestMissingPhrase(missing: readonly string[], question: string): string | null {
  const missingWords = new Set(missing);
  const wordRuns: string[][] = [[]];
  for (const word of question.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []) {
    if (missingWords.has(normalizeQuestion(word) || word) && !FUNCTION_WORDS.has(word)) wordRuns.at(-1)!.push(word);
    else wordRuns.push([]);
  }
  const [longestRun] = wordRuns.sort((a, b) => b.length - a.length);
  if (longestRun && longestRun.length > 0) return longestRun.join(' ');
  return missing.find((word) => !FUNCTION_WORDS.has(word)) ?? null;
}

type NearestName =
  | { of: 'metric' | 'field'; name: string; editDistance: number }
  | { of: 'value'; name: string; value: string; isListed: boolean; editDistance: number };

function findNearestName(lens: Lens, phrase: string): NearestName | null {
  const distanceTo = (text: string) => distance(text.replaceAll('_', ' ').toLowerCase(), phrase);
  const fields = lens.datasets.flatMap((dataset) =>
    dataset.fields
      .filter(({ masked }) => !masked)
      .map((field) => ({ ...field, path: `${dataset.name}.${field.name}` })),
  );
  const names: NearestName[] = [
    ...lens.metrics.flatMap(({ name, synonyms }) =>
      [name, ...synonyms].map((text) => ({ of: 'metric' as const, name, editDistance: distanceTo(text) })),
    ),
    ...fields.flatMap(({ name, synonyms, path }) =>
      [name, ...synonyms].map((text) => ({ of: 'field' as const, name: path, editDistance: distanceTo(text) })),
    ),
    ...fields.flatMap(({ dictionary, dictionaryFromWarehouse, path }) =>
      (dictionary?.values ?? []).map(({ value }) => ({
        of: 'value' as const,
        name: path,
        value,
        isListed: !dictionaryFromWarehouse,
        editDistance: distanceTo(value),
      })),
    ),
  ];
  const [nearestName] = names.sort((a, b) => a.editDistance - b.editDistance);
  return nearestName && nearestName.editDistance <= Math.max(1, Math.floor(phrase.length / 4)) ? nearestName : null;
}
