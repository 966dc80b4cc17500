// Finds the approved meaning of a governed term in all lenses. Reads only compiled lenses, and uses no warehouse or
// model.
import { distance } from 'fastest-levenshtein';
import type { DefinitionItem } from '../../contract/definition.ts';
import type { Lens, LensDefinition } from '../../lens/model/lens.ts';

const MAX_SUGGESTIONS = 5;

export interface DefinitionLookup {
  items: DefinitionItem[];
  suggestions: string[];
}

/** Without a term, returns the governed terms of all lenses. */
export function lookUpDefinition(lenses: readonly Lens[], term: string | undefined): DefinitionLookup {
  const lensDefinitions = lenses.flatMap((lens) => lens.definitions.map((definition) => ({ lens, definition })));
  if (term === undefined)
    return {
      items: lensDefinitions.map(({ lens, definition }) => toDefinitionItem(lens, definition)),
      suggestions: [],
    };
  const foldedTerm = foldText(term);
  const matches = lensDefinitions.filter(({ lens, definition }) =>
    namesOf(lens, definition).some((name) => foldText(name) === foldedTerm),
  );
  const items = matches.map(({ lens, definition }) => toDefinitionItem(lens, definition));
  if (items.length > 0) return { items, suggestions: [] };
  return {
    items: lenses.flatMap((lens) => metricDefinitions(lens, foldedTerm)),
    suggestions: findNearTerms(lensDefinitions, foldedTerm),
  };
}

export const toDefinitionItem = (lens: Lens, definition: LensDefinition): DefinitionItem => ({
  lens: lens.name,
  term: definition.term,
  meaning: definition.meaning,
  synonyms: definition.synonyms,
  senses: definition.senses.map(({ key, label, meaning, metric }) => ({ key, label, meaning, metric })),
  metric: definition.metric,
});

/** If a metric has no definition, its description counts as its approved meaning. */
function metricDefinitions(lens: Lens, foldedTerm: string): DefinitionItem[] {
  return lens.metrics
    .filter(
      (metric) => metric.description && [metric.name, ...metric.synonyms].some((name) => foldText(name) === foldedTerm),
    )
    .map((metric) => ({
      lens: lens.name,
      term: metric.name,
      meaning: metric.description,
      synonyms: metric.synonyms,
      senses: [],
      metric: metric.name,
    }));
}

function namesOf(lens: Lens, definition: LensDefinition): string[] {
  const metric = lens.metrics.find(({ name }) => name === definition.metric);
  return [definition.term, ...definition.synonyms, ...(metric ? [metric.name, ...metric.synonyms] : [])];
}

function findNearTerms(lensDefinitions: { lens: Lens; definition: LensDefinition }[], foldedTerm: string): string[] {
  const words = new Set(foldedTerm.split(' '));
  const similarTerms = lensDefinitions.flatMap(({ lens, definition }) => {
    const edits = Math.min(
      ...namesOf(lens, definition).map((name) => {
        const foldedName = foldText(name);
        const sharesWord = foldedName.split(' ').some((word) => word.length > 3 && words.has(word));
        return sharesWord ? 1 : distance(foldedName, foldedTerm);
      }),
    );
    return edits <= Math.max(2, Math.floor(foldedTerm.length / 3)) ? [{ term: definition.term, edits }] : [];
  });
  similarTerms.sort((a, b) => a.edits - b.edits || (a.term < b.term ? -1 : 1));
  return [...new Set(similarTerms.map(({ term }) => term))].slice(0, MAX_SUGGESTIONS);
}

/** Ignores case, accents and the kind of separator between words. */
const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
