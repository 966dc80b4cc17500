// A lookup reads only compiled lenses, and uses no warehouse or model.
import { distance } from 'fastest-levenshtein';
import type { ListedDefinition } from '../../contract/lens.ts';
import type { Lens, LensDefinition } from '../../lens/model/lens.ts';

const MAX_SUGGESTIONS = 5;

interface DefinitionLookup {
  items: ListedDefinition[];
  suggestions: string[];
}

/** Without a term, returns the governed terms of all lenses. */
export function lookUpDefinition(lenses: readonly Lens[], term: string | undefined): DefinitionLookup {
  const lensDefinitions = lenses.flatMap((lens) => lens.definitions.map((definition) => ({ lens, definition })));
  const foldedTerm = foldText(term ?? '');
  const items = lensDefinitions
    .filter(
      ({ lens, definition }) => !term || listNames(lens, definition).some((name) => foldText(name) === foldedTerm),
    )
    .map(({ lens, definition }) => toDefinitionItem(lens, definition));
  if (!term || items.length > 0) return { items, suggestions: [] };
  return {
    items: lenses.flatMap((lens) => listMetricDefinitions(lens, foldedTerm)),
    suggestions: findSimilarTerms(lensDefinitions, foldedTerm),
  };
}

export const toDefinitionItem = (lens: Lens, definition: LensDefinition): ListedDefinition => ({
  lens: lens.name,
  term: definition.term,
  meaning: definition.meaning,
  synonyms: definition.synonyms,
  senses: definition.senses.map(({ key, label, meaning, metric }) => ({ key, label, meaning, metric })),
  metric: definition.metric,
});

/** If a metric has no definition, its description counts as its approved meaning. */
function listMetricDefinitions(lens: Lens, foldedTerm: string): ListedDefinition[] {
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

function listNames(lens: Lens, definition: LensDefinition): string[] {
  const metric = lens.metrics.find(({ name }) => name === definition.metric);
  return [definition.term, ...definition.synonyms, ...(metric ? [metric.name, ...metric.synonyms] : [])];
}

function findSimilarTerms(lensDefinitions: { lens: Lens; definition: LensDefinition }[], foldedTerm: string): string[] {
  const words = foldedTerm.split(' ').filter((word) => word.length > 3);
  const maxEdits = Math.max(2, Math.floor(foldedTerm.length / 3));
  const nearTerms = lensDefinitions.map(({ lens, definition }) => {
    const edits = listNames(lens, definition).map((name) => {
      const foldedName = foldText(name);
      return foldedName.split(' ').some((word) => words.includes(word)) ? 1 : distance(foldedName, foldedTerm);
    });
    return { term: definition.term, edits: Math.min(...edits) };
  });
  nearTerms.sort((a, b) => a.edits - b.edits || (a.term < b.term ? -1 : 1));
  const terms = nearTerms.filter(({ edits }) => edits <= maxEdits).map(({ term }) => term);
  return [...new Set(terms)].slice(0, MAX_SUGGESTIONS);
}

/** Comparisons of terms ignore case, accents and the kind of separator between words. */
const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
