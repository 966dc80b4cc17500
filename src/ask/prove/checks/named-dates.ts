// Whether the asker named a date, or the lens's usual one was taken.
import { words as wordsOf } from '../../../lens/name-words.ts';
import type { CompiledPlan } from '../../outcome.ts';

/** Words that any date has in its name. */
const ANY = new Set(['date', 'time', 'datetime', 'timestamp', 'day', 'at', 'on', 'dt', 'ts', 'utc', 'of', 'the']);

export function namedDates({ read, usualDate }: CompiledPlan): (date: string) => boolean {
  if (read.by === 'caller') return () => usualDate !== true;
  if (read.by !== 'planner') return () => false;
  const asked = new Set(read.words.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  return (date) => {
    const [dataset = '', field = ''] = date.split('.').map((name) => wordsOf(name).toLowerCase());
    const telling = field.split(' ').filter((word) => !ANY.has(word));
    return telling.some((word) => !dataset.includes(word)) && telling.every((word) => asked.has(word));
  };
}
