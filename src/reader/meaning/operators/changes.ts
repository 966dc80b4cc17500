// Changes by a later question, as a question of only the changed parts.
import {
  type Cond,
  cond,
  type Group,
  type Measure,
  type Num,
  type Period,
  type Query,
  query,
  type Sorted,
  sorted,
  type Term,
} from '../terms.ts';
import { as, directionOf, has, measured, type Operate, ofValue } from './building.ts';

const CHANGE = ['change'];
const asCond = (term: Term): Cond =>
  term.t === 'period'
    ? cond({ is: 'time', period: term as Period, field: null, verb: null }, term.key, ['period'])
    : (term as Cond);

export const CHANGES: Readonly<Record<string, Operate>> = {
  changed: ({ c, g, o, v, p, m, q }) => {
    if (m) return has(m, 'thing') ? null : query(measured(as<Measure>(m)), CHANGE);
    if (q) return as<Query>(q).things || as<Query>(q).limit !== null ? null : query(as<Query>(q), CHANGE);
    if (g) return query({ groups: [as<Group>(g)] }, CHANGE);
    if (o) return query({ order: [as<Sorted>(o)] }, CHANGE);
    if (v) return has(v, 'quoted') ? null : query({ conds: [ofValue(as(v), '')] }, CHANGE);
    const meant = asCond(as(c ?? p));
    return has(meant, 'total') ? null : query({ conds: [meant] }, CHANGE);
  },
  changedMost: ({ s, r, n }) => {
    const { value: limit } = as<Num>(n);
    return Number.isInteger(limit) && limit > 0
      ? query({ order: [sorted(null, directionOf(s ?? r))], limit }, CHANGE)
      : null;
  },
  opened: ({ x }, takes) =>
    query(as<Query>(x), [...new Set([...x!.features, 'opened', ...(takes['adds'] ? ['adds'] : [])])]),
};
