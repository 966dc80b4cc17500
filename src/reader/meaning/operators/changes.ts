// Converts the changes that a later question makes to a query with only the changed parts.
import {
  createPredicate,
  createQuery,
  createSortOrder,
  type GroupTerm,
  type MeasureTerm,
  type NumberTerm,
  type PeriodTerm,
  type PredicateTerm,
  type QueryTerm,
  type SortOrderTerm,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';
import { createMeasureQuery, createValuePredicate, getDirection, hasFeature, type TermOperator } from './building.ts';

const createChangeQuery = (content: Parameters<typeof createQuery>[0]): QueryTerm => createQuery(content, ['change']);

interface ChangeSlots {
  c?: PredicateTerm;
  g?: GroupTerm;
  o?: SortOrderTerm;
  v?: ValueTerm;
  p?: PeriodTerm;
  m?: MeasureTerm;
  q: QueryTerm;
}
export const CHANGE_OPERATORS = {
  changed: ({ c, g, o, v, p, m, q }: ChangeSlots) => {
    if (m) return hasFeature(m, 'thing') ? null : createChangeQuery(createMeasureQuery(m));
    if (g) return createChangeQuery({ groups: [g] });
    if (o) return createChangeQuery({ order: [o] });
    if (v) return hasFeature(v, 'quoted') ? null : createChangeQuery({ predicates: [createValuePredicate(v, '')] });
    if (p)
      return createChangeQuery({
        predicates: [createPredicate({ is: 'time', period: p, field: null, verb: null }, ['period'])],
      });
    if (c) return hasFeature(c, 'total') ? null : createChangeQuery({ predicates: [c] });
    return q.things || q.limit !== null ? null : createChangeQuery(q);
  },
  changedMost: ({ s, r, n: { value: limit } }: { s?: WordTerm; r?: WordTerm; n: NumberTerm }) =>
    Number.isInteger(limit) && limit > 0
      ? createChangeQuery({ order: [createSortOrder(null, getDirection(s ?? r))], limit })
      : null,
  opened: ({ x }: { x: QueryTerm }, takes) =>
    createQuery(x, [...new Set([...x.features, 'opened', ...(takes['adds'] ? ['adds'] : [])])]),
} satisfies Record<string, TermOperator>;
