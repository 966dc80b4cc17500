// Checks whether a question names a date, because svc then doesn't use the lens's default date.
import { splitNameIntoWords as wordsOf } from './name-words.ts';

/** Words that can be in the name of any date. */
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
