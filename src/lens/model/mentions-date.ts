// Checks whether a question mentions a date field. If it does, svc doesn't use the lens's default date.
import { splitNameIntoWords as wordsOf } from './name-words.ts';

/** Words that occur in the names of many date fields. */
const DATE_WORDS = new Set('date time datetime timestamp day at on dt ts utc of the'.split(' '));

/** `date` is a path such as `orders.ordered_on`. */
export function mentionsDate(question: string, date: string): boolean {
  const questionWords = new Set(question.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const [dataset = '', field = ''] = date.split('.').map((name) => wordsOf(name).toLowerCase());
  const distinctiveWords = field.split(' ').filter((word) => !DATE_WORDS.has(word));
  return (
    distinctiveWords.some((word) => !dataset.includes(word)) &&
    distinctiveWords.every((word) => questionWords.has(word))
  );
}
