// Suggests similar questions that have a reading: the total or average of a number, or a count of things.
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import { readQuestion } from '../read-question.ts';
import type { PlannerInput } from '../reading.ts';
import { isNumeric } from '../words/datatypes.ts';
import type { WordMeaning, WordMeanings } from './word-meanings.ts';

const MAX_TRIED = 6;
const MAX_SUGGESTIONS = 3;

export async function findRewordings(input: PlannerInput, { text, meanings }: WordMeanings): Promise<string[]> {
  const questions = meanings.flatMap((item) =>
    waysToMeasure(item).map((prefix) => `${text.slice(0, item.from)}${prefix} ${text.slice(item.from)}`),
  );
  const readableQuestions: string[] = [];
  for (const question of [...new Set(questions)].slice(0, MAX_TRIED)) {
    await waitForTurn(); // each reading takes a few milliseconds
    if (readQuestion({ ...input, question }).kind === 'plan') readableQuestions.push(question);
  }
  return readableQuestions.slice(0, MAX_SUGGESTIONS);
}

function waysToMeasure(meaning: WordMeaning): string[] {
  if (meaning.is !== 'name') return [];
  const isNumber = meaning.terms.some(
    (term) => term.kind === 'field' && term.loose < 2 && term.identity === undefined && isNumeric(term.field.datatype),
  );
  const isEntity = meaning.terms.some((term) => term.kind === 'dataset' || (term.kind === 'field' && term.identity));
  return [...(isNumber ? ['total', 'average'] : []), ...(isEntity ? ['number of'] : [])];
}
