// Finds errors in a list of definitions without a lens. lens.yaml and semantic/definitions.yaml contain such lists.
import type { DefinitionFile } from '../../contract/files/lens-file.ts';

export interface DefinitionFault {
  /** The path in the list. */
  at: (string | number)[];
  code: string;
  message: string;
}

export const MISSING_MEANING_MESSAGE = 'A definition needs a meaning, or senses that each have a meaning.';

export function findDefinitionFaults(definitions: readonly DefinitionFile[]): DefinitionFault[] {
  const seenTerms = new Set<string>();
  return definitions.flatMap((definition, index) => {
    const faults = findSenseKeyFaults(definition).map((fault) => ({ ...fault, at: [index, ...fault.at] }));
    const term = definition.term.toLowerCase();
    if (seenTerms.has(term))
      faults.push({
        at: [index, 'term'],
        code: 'duplicate',
        message: `The term "${definition.term}" is defined twice.`,
      });
    seenTerms.add(term);
    if (!definition.meaning && !definition.senses)
      faults.push({ at: [index], code: 'missing_key', message: MISSING_MEANING_MESSAGE });
    return faults;
  });
}

/**
 * Returns a fault for each sense whose key another sense already has. A choice names a sense by its key, so callers
 * couldn't choose the second sense.
 */
export function findSenseKeyFaults({ term, senses = [] }: Pick<DefinitionFile, 'term' | 'senses'>): DefinitionFault[] {
  return senses.flatMap(({ key }, index) =>
    senses.findIndex((sense) => sense.key === key) === index
      ? []
      : [
          {
            at: ['senses', index, 'key'],
            code: 'duplicate',
            message: `Two senses of "${term}" have the key "${key}". Give each sense its own key.`,
          },
        ],
  );
}
