// The conditions of a question: of rows, of the period, of groups.

import type { Having, LensPlan, Measure as Measured, TimeWindow } from '../../plan/lens-plan.ts';
import { unitKey } from '../words/lexicon.ts';
import { dateOf, isWhen } from './dates.ts';
import { filtersOf, type Place, stateHappened } from './filters.ts';
import { metricOf } from './homes.ts';
import { doubtStartDate } from './lasting.ts';
import { measureOf } from './measures.ts';
import { type Settling, unfit } from './settle.ts';
import type { Cond, Measure } from './terms.ts';
import { storedState } from './verbs.ts';

export const isTotal = (one: Cond): boolean => one.is === 'total';

export function conditions(
  s: Settling,
  said: readonly Cond[],
  place: Place,
): Pick<LensPlan, 'filters' | 'time' | 'having'> {
  const conds = said.map((one) => datedBy(s, one, said, place));
  const times = conds.filter((one): one is Extract<Cond, { is: 'time' }> => one.is === 'time');
  const [only, more] = times;
  const window = only && !more ? windowOf(s, only, place, conds) : null;
  stateHappened(s, conds, place.home);
  const totals = conds.filter((one): one is Extract<Cond, { is: 'total' }> => one.is === 'total');
  const rest = conds.filter((one) => !isTotal(one) && !(window && one === only));
  const having = totals.map(
    ({ measure, op, value, unit }): Having => ({
      measure: inUnit(s, measure, unit, measureOf(s, measure, place.home, null)),
      op: op as Having['op'],
      values: [value],
    }),
  );
  return { filters: filtersOf(s, rest, place), time: window, having };
}

/** "shipped first class in 2016": the period is that of the shipping. */
const datedBy = (s: Settling, one: Cond, said: readonly Cond[], { home }: Place): Cond => {
  if (one.is !== 'time' || one.verb !== null || one.field) return one;
  const verbs = said.flatMap((other) => (other.is === 'value' && other.word ? other.word : []));
  const verb = verbs.find((each) => isWhen(s, home, each));
  return verb ? { ...one, verb } : one;
};

const inUnit = (s: Settling, of: Measure, unit: string | null, made: Measured): Measured =>
  unit === null || (of.is === 'metric' && unitKey(metricOf(s, of).unit ?? '') === unitKey(unit))
    ? made
    : unfit('the unit differs');

function windowOf(
  s: Settling,
  { period, verb, field }: Extract<Cond, { is: 'time' }>,
  { home, from, by }: Place,
  conds: readonly Cond[],
): TimeWindow | null {
  const { mention } = period;
  if (!mention.from || !mention.to || (home !== from && !by)) return null;
  if (field) {
    const at = s.field(home, field.options, field.text);
    return at.path === home
      ? { field: { path: home, field: at.field.name }, from: mention.from, to: mention.to }
      : null;
  }
  if (verb && !isWhen(s, home, verb)) storedState(s, verb, home);
  const at = dateOf(s, home, period.text, verb);
  if (!verb) doubtStartDate(s, at, period.text, conds);
  return at.year ? null : { field: { path: at.path, field: at.field.name }, from: mention.from, to: mention.to };
}
