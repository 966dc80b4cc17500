import type { Grain } from '../../../contract/warehouse.ts';
import type { DayPart } from '../../../plan/lens-plan.ts';
import {
  createGroup,
  createSortOrder,
  type Entities,
  type Field,
  type Group,
  type Measure,
  type Word,
} from '../terms.ts';
import { isAdjective } from '../verbs.ts';

import { getDirection, hasFeature, type Operation } from './building.ts';

export const createPeriodGroup = ({ value }: Word, date: Field | null = null): Group =>
  createGroup({ is: 'period', grain: value as Grain | DayPart, date }, ['period']);

export const GROUP_OPERATORS = {
  // A timestamp can't form groups, so "by date" means by day.
  groupField: ({ f }: { f: Field }) => {
    const isVague = f.options.some(({ loose, fields }) => loose > 0 || fields[0]!.datatype !== 'date');
    return hasFeature(f, 'date') && isVague ? null : createGroup({ is: 'field', field: f });
  },
  groupThings: ({ t }: { t: Entities }) => (t.predicates.length > 0 ? null : createGroup({ is: 'things', things: t })),
  groupGrain: ({ g, f }: { g: Word; f?: Field }) => createPeriodGroup(g, f),
  severalGroups: ({ a, b }: Record<'a' | 'b', Group>) => createGroup({ is: 'several', of: [a, b] }),
  sameGroup: ({ g }: { g: Group }) => ({ ...g, features: [...g.features, 'per'] }),
  // In "papers published per year", the word "published" selects the date of publication and restricts no rows.
  groupHappening: ({ g, l }: { g: Group; l: Word }) =>
    g.is === 'several' || (g.is === 'period' && (g.date || isAdjective(l.value)))
      ? null
      : createGroup({ ...g, verb: l.value }, g.features),
  // "bookings by members from France" can mean the bookings of these members, or a number of bookings for each member.
  groupBy: ({ g }: { g: Group }) => ({
    ...g,
    features: ['by word', ...(g.is === 'things' ? ['by'] : g.features.filter((feature) => feature === 'period'))],
  }),
  direction: ({ d }: { d: Word }) => createSortOrder(null, getDirection(d)),
  orderBy: ({ x, d }: { x: Measure | Field; d?: Word }) => createSortOrder(x, d ? getDirection(d) : 'asc'),
  sameField: ({ f }: { f: Field }) => f,
} satisfies Record<string, Operation>;
