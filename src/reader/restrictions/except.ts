// "except", "without", "not", "never", "no": exclusions. Rows without a value stay.
import { countsOf, isRelated } from '../../plan/filters.ts';
import type { Outcome } from './outcome.ts';
import type { Place } from './place.ts';
import { isNegative, type Rows, saidOf } from './plan-parts.ts';
import { type Restricting, restrictionAfter } from './sentence.ts';

export function exceptMeans(place: Place, word: Restricting): Outcome {
  const { focus, passed } = restrictionAfter(place.sentence, word.to);
  if (focus.length === 0 || passed.length > 0) return notMeans(place, word);
  const out = place.rows.filter((rows) =>
    leavesOut(rows, (filter) => saidOf({ ...rows, filters: [filter] }, focus).length > 0),
  );
  if (
    out.length === 0 &&
    !place.rows.some((rows) => leavesOut(rows, () => true) && rows.related && 'not_exists' in rows.related)
  )
    return null;
  return hidesOthers(place, out) ? null : { says: 'left out' };
}

/** Any filter that excludes, compares or is missing. */
export function notMeans(place: Place, { text }: Restricting): Outcome {
  const { rows, plan } = place;
  const out = rows.filter((one) => leavesOut(one, () => true));
  if (text === 'no' && out.some(hasOthers)) return null;
  if (out.length > 0) return hidesOthers(place, out) ? null : { says: 'left out' };
  const compared = rows.some(({ filters, related }) =>
    related && countsOf(related).length > 0 ? true : filters.some((one) => 'field' in one && /^[<>]/.test(one.op)),
  );
  const none = plan.having.some(({ op, values }) => op === '!=' || values[0] === 0);
  return /^(?:no|not|never)$/.test(text) && (compared || none || plan.having.length > 0) ? { says: 'compared' } : null;
}

/** "tickets no by email": none of them matches; another existing ticket doesn't mean the same. */
const hasOthers = ({ related, filters }: Rows): boolean =>
  related !== null &&
  'exists' in related &&
  filters.some((one) => 'field' in one && (one.op === '!=' || one.op === 'not_in'));

const leavesOut = ({ related, filters }: Rows, which: (filter: Rows['filters'][number]) => boolean): boolean =>
  related && 'not_exists' in related
    ? filters.some(which) || filters.length === 0
    : filters.some((one) => isNegative(one) && which(one));

/**
 * Things can also have other rows. svc counts the things that have both kinds, but can do so only for a plain count.
 */
function hidesOthers({ counted, plan, sentence }: Place, out: readonly Rows[]): boolean {
  const bySome = out.some(
    ({ related, filters }) => related === null && filters.some((one) => isNegative(one) && !isRelated(one)),
  );
  if (counted.are === 'rows' || !bySome) return false;
  const [only, more] = plan.filters;
  const compared =
    counted.are === 'things' && plan.measures.length === 1 && only && ('field' in only || 'any' in only) && !more;
  return !compared || sentence.words.some(({ sense }) => sense === 'all' || sense === 'each');
}
