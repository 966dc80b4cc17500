// Groups and their order.
import type { Grain } from '../../../contract/warehouse.ts';
import type { DayPart } from '../../../plan/lens-plan.ts';
import { type Field, type Group, group, sorted, type Things, type Word } from '../terms.ts';

import { as, directionOf, has, type Operate } from './building.ts';

export const GROUPS: Record<string, Operate> = {
  // A timestamp isn't a group, and "by date" means by day.
  groupField: ({ f }) => {
    const isVague = as<Field>(f).options.some(({ loose, fields }) => loose > 0 || fields[0]!.datatype !== 'date');
    return has(f!, 'date') && isVague ? null : group({ is: 'field', field: as(f) }, f!.key);
  },
  groupThings: ({ t }) => (as<Things>(t).conds.length > 0 ? null : group({ is: 'things', things: as(t) }, t!.key)),
  groupGrain: ({ g, f }) =>
    group(
      { is: 'period', grain: as<Word>(g).value as Grain | DayPart, date: f ? as<Field>(f) : null },
      `${g!.key} ${f?.key ?? ''}`,
      ['period'],
    ),
  severalGroups: ({ a, b }) => group({ is: 'several', of: [as<Group>(a), as<Group>(b)] }, `${a!.key},${b!.key}`),
  sameGroup: ({ g }) => ({ ...as<Group>(g), features: [...g!.features, 'per'] }),
  // "papers published per year": the event selects the date and restricts nothing else.
  groupHappening: ({ g, l }) => {
    const [of, verb] = [as<Group>(g), as<Word>(l).value];
    return of.is === 'several' || (of.is === 'period' && of.date) ? null : { ...of, verb, key: `${of.key} ${verb}` };
  },
  // "bookings by members from France": who booked, or a number for each?
  groupBy: ({ g }) => ({
    ...as<Group>(g),
    features: ['by word', ...(as<Group>(g).is === 'things' ? ['by'] : g!.features.filter((one) => one === 'period'))],
  }),
  direction: ({ d }) => sorted(null, directionOf(d)),
  orderBy: ({ x, d }) => sorted(as(x), d ? directionOf(d) : 'asc'),
  sameField: ({ f }) => f!,
};
