import type { Grain } from '../../../contract/warehouse.ts';
import type { DayPart } from '../../../plan/lens-plan.ts';
import {
  createGroup,
  createSortOrder,
  type EntitiesTerm,
  type FieldTerm,
  type GroupTerm,
  type MeasureTerm,
  type WordTerm,
} from '../terms.ts';
import { isAdjective } from '../verbs.ts';

import { getDirection, hasFeature, type TermOperator } from './building.ts';

export const createPeriodGroup = ({ value }: WordTerm, date: FieldTerm | null = null): GroupTerm =>
  createGroup({ is: 'period', grain: value as Grain | DayPart, date }, ['period']);

export const GROUP_OPERATORS = {
  // Rejects a timestamp field as a group, so that "by date" means by day.
  groupField: ({ f }: { f: FieldTerm }) => {
    const isVague = f.options.some(({ loose, fields }) => loose > 0 || fields[0]!.datatype !== 'date');
    return hasFeature(f, 'date') && isVague ? null : createGroup({ is: 'field', field: f });
  },
  groupThings: ({ t }: { t: EntitiesTerm }) =>
    t.predicates.length > 0 ? null : createGroup({ is: 'things', things: t }),
  groupGrain: ({ g, f }: { g: WordTerm; f?: FieldTerm }) => createPeriodGroup(g, f),
  severalGroups: ({ a, b }: Record<'a' | 'b', GroupTerm>) => createGroup({ is: 'several', of: [a, b] }),
  sameGroup: ({ g }: { g: GroupTerm }) => ({ ...g, features: [...g.features, 'per'] }),
  // In "papers published per year", the word "published" chooses the publication date and restricts no rows.
  groupHappening: ({ g, l }: { g: GroupTerm; l: WordTerm }) =>
    g.is === 'several' || (g.is === 'period' && (g.date || isAdjective(l.value)))
      ? null
      : createGroup({ ...g, verb: l.value }, [...g.features, 'per']),
  // Marks groups after "by", because "bookings by members from France" can mean the bookings of these members, or a
  // number of bookings for each member.
  groupBy: ({ g }: { g: GroupTerm }) => ({
    ...g,
    features: ['by word', ...(g.is === 'things' ? ['by'] : g.features.filter((feature) => feature === 'period'))],
  }),
  direction: ({ d }: { d: WordTerm }) => createSortOrder(null, getDirection(d)),
  orderBy: ({ x, d }: { x: MeasureTerm | FieldTerm; d?: WordTerm }) => createSortOrder(x, d ? getDirection(d) : 'asc'),
  sameField: ({ f }: { f: FieldTerm }) => f,
} satisfies Record<string, TermOperator>;
