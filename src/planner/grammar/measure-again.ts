// "… and the number of guests, sorted by the number": the measure that was named before, by its first word alone.
import type { Cursor } from './cursor.ts';
import { isMeasure, type MeasureDraft } from './draft.ts';

const AGAIN = /(?:counts?|numbers?|totals?|sums?|averages?)(?= (?:in|and|\.|\?|,|;|from|ascending|descending)|$)/;
const COUNTS = /^(?:count|number)$/;

/** The one measure so far that the word at the head can stand for; a field that is called so is what is meant. */
export const measureAgain = (c: Cursor): MeasureDraft | null => {
  if (c.match(AGAIN) === 0) return null;
  const word = c.token()!.stem;
  if (c.phrase()?.terms.some((term) => term.kind !== 'field' || term.loose === 0)) return null;
  const named = [...c.draft.shown.map(({ measure }) => measure), ...c.draft.orders.map(({ by }) => by)].flatMap(
    (one) => (one && isMeasure(one) && !one.window && !one.growth && !one.combined ? [one] : []),
  );
  const [only, more] = new Set(named);
  if (!only || more) return null;
  const fits = COUNTS.test(word)
    ? only.kind === 'count' || /\b(?:number|count|how many)\b/i.test(only.text)
    : only.fn === (word === 'average' ? 'avg' : 'sum');
  return fits ? only : null;
};
