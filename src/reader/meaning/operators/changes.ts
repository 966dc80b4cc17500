// Turns the changes of a later question into a query that has only the changed parts.
import {
  createPredicate,
  createQuery,
  createSortOrder,
  type Group,
  type Measure,
  type NumberTerm,
  type Period,
  type Predicate,
  type Query,
  type SortOrder,
  type Term,
} from '../terms.ts';
import {
  cast,
  createMeasureQuery,
  createValuePredicate,
  getDirection,
  hasFeature,
  type Operation,
} from './building.ts';

const CHANGE_FEATURES = ['change'];
const toPredicate = (term: Term): Predicate =>
  term.t === 'period'
    ? createPredicate({ is: 'time', period: term as Period, field: null, verb: null }, term.key, ['period'])
    : (term as Predicate);

export const CHANGE_OPERATORS: Readonly<Record<string, Operation>> = {
  changed: ({ c, g, o, v, p, m, q }) => {
    if (m) return hasFeature(m, 'thing') ? null : createQuery(createMeasureQuery(cast<Measure>(m)), CHANGE_FEATURES);
    if (q)
      return cast<Query>(q).things || cast<Query>(q).limit !== null
        ? null
        : createQuery(cast<Query>(q), CHANGE_FEATURES);
    if (g) return createQuery({ groups: [cast<Group>(g)] }, CHANGE_FEATURES);
    if (o) return createQuery({ order: [cast<SortOrder>(o)] }, CHANGE_FEATURES);
    if (v)
      return hasFeature(v, 'quoted')
        ? null
        : createQuery({ predicates: [createValuePredicate(cast(v), '')] }, CHANGE_FEATURES);
    const changedPredicate = toPredicate(cast(c ?? p));
    return hasFeature(changedPredicate, 'total')
      ? null
      : createQuery({ predicates: [changedPredicate] }, CHANGE_FEATURES);
  },
  changedMost: ({ s, r, n }) => {
    const { value: limit } = cast<NumberTerm>(n);
    return Number.isInteger(limit) && limit > 0
      ? createQuery({ order: [createSortOrder(null, getDirection(s ?? r))], limit }, CHANGE_FEATURES)
      : null;
  },
  opened: ({ x }, takes) =>
    createQuery(cast<Query>(x), [...new Set([...x!.features, 'opened', ...(takes['adds'] ? ['adds'] : [])])]),
};
