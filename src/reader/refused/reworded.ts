// Similar questions that have a reading: the total of a number, a count of things, a month of a year. Each is
// actually read.
import { nextTurn } from '../../platform/schedule/in-turns.ts';
import { readQuestion } from '../read-question.ts';
import type { PlannerInput } from '../reading.ts';
import { isNumeric } from '../words/datatypes.ts';
import { SUPERLATIVES } from '../words/lexicon.ts';
import { words } from '../words/vocabulary.ts';
import type { WordMeaning, WordMeanings } from './word-meanings.ts';

const TRIED = 6;
const MAX_SUGGESTIONS = 3;

export const rewordings = async (input: PlannerInput, { text, seen }: WordMeanings): Promise<string[]> => {
  const put = (at: number, more: string): string => `${text.slice(0, at)}${more}${text.slice(at)}`;
  const tried = seen.flatMap((one): string[] => {
    if (/^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i.test(one.text))
      return [put(one.to, ` ${input.now.getUTCFullYear()}`)];
    return waysToMeasure(one).map((way) => put(one.from, way));
  });
  if (seen.some((one) => one.is === 'grammar' && SUPERLATIVES.has(one.norm)))
    tried.push(
      ...input.lens.metrics.slice(0, TRIED).map(({ name }) => put(text.length, ` by ${words(name).join(' ')}`)),
    );
  const read: string[] = [];
  for (const question of [...new Set(tried)].slice(0, TRIED)) {
    await nextTurn(); // each reading takes a few milliseconds
    if (readQuestion({ ...input, question }).kind === 'intent') read.push(question);
  }
  return read.slice(0, MAX_SUGGESTIONS);
};

const waysToMeasure = (one: WordMeaning): string[] => {
  if (one.is !== 'name') return [];
  const number = one.terms.some(
    (term) => term.kind === 'field' && term.loose < 2 && term.identity === undefined && isNumeric(term.field.datatype),
  );
  const thing = one.terms.some((term) => term.kind === 'dataset' || (term.kind === 'field' && term.identity));
  return [...(number ? ['total ', 'average '] : []), ...(thing ? ['number of '] : [])];
};
