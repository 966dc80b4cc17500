// Turns the changes of a later question into a query that has only the changed parts.
import {
  type Group,
  type Measure,
  type NumberTerm,
  type Period,
  type Predicate,
  predicate,
  type Query,
  query,
  type SortOrder,
  sortOrder,
  type Term,
} from '../terms.ts';
import { cast, directionOf, has, measuredQuery, type Operation, valuePredicate } from './building.ts';

const CHANGE = ['change'];
const asPredicate = (term: Term): Predicate =>
  term.t === 'period'
    ? predicate({ is: 'time', period: term as Period, field: null, verb: null }, term.key, ['period'])
    : (term as Predicate);

export const CHANGES: Readonly<Record<string, Operation>> = {
  changed: ({ c, g, o, v, p, m, q }) => {
    if (m) return has(m, 'thing') ? null : query(measuredQuery(cast<Measure>(m)), CHANGE);
    if (q) return cast<Query>(q).things || cast<Query>(q).limit !== null ? null : query(cast<Query>(q), CHANGE);
    if (g) return query({ groups: [cast<Group>(g)] }, CHANGE);
    if (o) return query({ order: [cast<SortOrder>(o)] }, CHANGE);
    if (v) return has(v, 'quoted') ? null : query({ predicates: [valuePredicate(cast(v), '')] }, CHANGE);
    const changedPredicate = asPredicate(cast(c ?? p));
    return has(changedPredicate, 'total') ? null : query({ predicates: [changedPredicate] }, CHANGE);
  },
  changedMost: ({ s, r, n }) => {
    const { value: limit } = cast<NumberTerm>(n);
    return Number.isInteger(limit) && limit > 0
      ? query({ order: [sortOrder(null, directionOf(s ?? r))], limit }, CHANGE)
      : null;
  },
  opened: ({ x }, takes) =>
    query(cast<Query>(x), [...new Set([...x!.features, 'opened', ...(takes['adds'] ? ['adds'] : [])])]),
};
