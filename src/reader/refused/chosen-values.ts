// Reads a choice that names a stored value instead of words of a question, such as "GK" or "position = GK".
import type { Lens } from '../../lens/model/lens.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldValue } from '../words/tokens.ts';
import { getVocabulary } from '../words/vocabulary.ts';

const CONDITION_PATTERN = /^(?:(\w+)\.)?(\w+)\s*=\s*["']?(.+?)["']?$/;

/**
 * Writes the value as the rows that have it, such as "players with position GK". Returns the choice unchanged if not
 * exactly one field has the value.
 */
export function spellChosenValue(lens: Lens, choice: string): string {
  const [, datasetName, fieldName, text = choice] = CONDITION_PATTERN.exec(choice) ?? [];
  const values = getVocabulary(lens)
    .valuesSpelled(foldValue(text))
    .filter(({ dataset }) => datasetName === undefined || dataset === datasetName)
    .filter(({ field }) => fieldName === undefined || field.name === fieldName);
  const [match] = values;
  if (!match || values.some(({ field }) => field !== match.field)) return choice;
  return [...splitWords(match.dataset), 'with', ...splitWords(match.field.name), match.value].join(' ');
}
