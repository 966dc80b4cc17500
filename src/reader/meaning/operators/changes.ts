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
import { cast, directionOf, hasFeature, measuredQuery, type Operation, valuePredicate } from './building.ts';

const CHANGE_FEATURES = ['change'];
const asPredicate = (term: Term): Predicate =>
  term.t === 'period'
    ? predicate({ is: 'time', period: term as Period, field: null, verb: null }, term.key, ['period'])
    : (term as Predicate);

export const CHANGES: Readonly<Record<string, Operation>> = {
  changed: ({ c, g, o, v, p, m, q }) => {
    if (m) return hasFeature(m, 'thing') ? null : query(measuredQuery(cast<Measure>(m)), CHANGE_FEATURES);
    if (q)
      return cast<Query>(q).things || cast<Query>(q).limit !== null ? null : query(cast<Query>(q), CHANGE_FEATURES);
    if (g) return query({ groups: [cast<Group>(g)] }, CHANGE_FEATURES);
    if (o) return query({ order: [cast<SortOrder>(o)] }, CHANGE_FEATURES);
    if (v)
      return hasFeature(v, 'quoted') ? null : query({ predicates: [valuePredicate(cast(v), '')] }, CHANGE_FEATURES);
    const changedPredicate = asPredicate(cast(c ?? p));
    return hasFeature(changedPredicate, 'total') ? null : query({ predicates: [changedPredicate] }, CHANGE_FEATURES);
  },
  changedMost: ({ s, r, n }) => {
    const { value: limit } = cast<NumberTerm>(n);
    return Number.isInteger(limit) && limit > 0
      ? query({ order: [sortOrder(null, directionOf(s ?? r))], limit }, CHANGE_FEATURES)
      : null;
  },
  opened: ({ x }, takes) =>
    query(cast<Query>(x), [...new Set([...x!.features, 'opened', ...(takes['adds'] ? ['adds'] : [])])]),
};
