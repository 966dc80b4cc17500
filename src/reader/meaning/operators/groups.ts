import type { Grain } from '../../../contract/warehouse.ts';
import type { DayPart } from '../../../plan/lens-plan.ts';
import { createGroup, createSortOrder, type Entities, type Field, type Group, type Word } from '../terms.ts';

import { cast, getDirection, hasFeature, type Operation } from './building.ts';

export const createPeriodGroup = (grain: Word, date: Field | undefined): Group =>
  createGroup(
    { is: 'period', grain: grain.value as Grain | DayPart, date: date ?? null },
    `${grain.key} ${date?.key ?? ''}`,
    ['period'],
  );

export const GROUP_OPERATORS: Record<string, Operation> = {
  // A timestamp can't form groups, so "by date" means by day.
  groupField: ({ f }) => {
    const isVague = cast<Field>(f).options.some(({ loose, fields }) => loose > 0 || fields[0]!.datatype !== 'date');
    return hasFeature(f!, 'date') && isVague ? null : createGroup({ is: 'field', field: cast(f) }, f!.key);
  },
  groupThings: ({ t }) =>
    cast<Entities>(t).predicates.length > 0 ? null : createGroup({ is: 'things', things: cast(t) }, t!.key),
  groupGrain: ({ g, f }) => createPeriodGroup(cast(g), f && cast(f)),
  severalGroups: ({ a, b }) =>
    createGroup({ is: 'several', of: [cast<Group>(a), cast<Group>(b)] }, `${a!.key},${b!.key}`),
  sameGroup: ({ g }) => ({ ...cast<Group>(g), features: [...g!.features, 'per'] }),
  // In "papers published per year", the word "published" selects the date of publication and restricts no rows.
  groupHappening: ({ g, l }) => {
    const [groupTerm, verb] = [cast<Group>(g), cast<Word>(l).value];
    return groupTerm.is === 'several' || (groupTerm.is === 'period' && groupTerm.date)
      ? null
      : { ...groupTerm, verb, key: `${groupTerm.key} ${verb}` };
  },
  // "bookings by members from France" can mean the bookings of these members, or a number of bookings for each member.
  groupBy: ({ g }) => ({
    ...cast<Group>(g),
    features: [
      'by word',
      ...(cast<Group>(g).is === 'things' ? ['by'] : g!.features.filter((feature) => feature === 'period')),
    ],
  }),
  direction: ({ d }) => createSortOrder(null, getDirection(d)),
  orderBy: ({ x, d }) => createSortOrder(cast(x), d ? getDirection(d) : 'asc'),
  sameField: ({ f }) => f!,
};
