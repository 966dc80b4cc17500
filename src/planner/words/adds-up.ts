// Whether the values of a field say something when they are added up: sales and quantities do, ratings and prices don't,
// and of most fields the lens does not tell.
import { isRate } from '../../lens/doubtful-measures.ts';
import type { Lens, LensField } from '../../lens/lens.ts';
import { words } from './vocabulary.ts';

const MONEY = /^(?:[$€£¥]|usd|eur|gbp|chf|jpy|cad|aud|dollars?|euros?|pounds?)$/i;
const SUMMED = new Set(
  'amount total sale revenue cost fee quantity qty unit profit income turnover spending point goal hour minute'.split(
    ' ',
  ),
);
const SCORED = new Set(
  'rating score grade mark star rank ranking position level speed price age year size height temperature'.split(' '),
);
const STOCKED = /balance|stock|inventory|level|outstanding|headcount|backlog/i;

export const addsUp = (lens: Lens, dataset: string, field: LensField): 'yes' | 'no' | 'unknown' => {
  const named = words(field.name).map((word) => word.replace(/s$/, ''));
  if (isRate(field) || named.some((word) => SCORED.has(word))) return 'no';
  const summed = lens.metrics.some(
    ({ references: { aggregates, fields, metrics } }) =>
      aggregates.join() === 'sum' &&
      metrics.length === 0 &&
      fields.length === 1 &&
      fields[0]!.dataset === dataset &&
      fields[0]!.field === field.name,
  );
  if (summed) return 'yes';
  if (STOCKED.test(field.name)) return 'unknown';
  return (field.unit !== null && MONEY.test(field.unit)) || named.some((word) => SUMMED.has(word)) ? 'yes' : 'unknown';
};
