// Turns a complete term into a plan, with every name settled.

import { emptyPlan, isDayPart, type LensPlan } from '../../plan/lens-plan.ts';
import { conditions, isTotal } from './conditions.ts';
import { hasDates, yearAt } from './dates.ts';
import { inRole, isOfRows } from './filters.ts';
import { type GroupedBy, groupInto, showBehind, showThing } from './groups.ts';
import { countedBy, groupingDatasets, homeFor, metricOf, nearestTo, ownHome, thingOf } from './homes.ts';
import { listing, ownField, refuseAmbiguous } from './listing.ts';
import { groupsOf, measureOf, once } from './measures.ts';
import { type Placed, type Settling, unfit } from './settle.ts';
import {
  type Cond,
  cond,
  type Field,
  field,
  type Group,
  group,
  type Measure,
  measure,
  type NamedThing,
  type Query,
  query,
  type Things,
  things,
} from './terms.ts';
import { totalOrSingle } from './total-or-single.ts';
import { linking } from './verbs.ts';

export function planOf(s: Settling, said: Query): LensPlan {
  const q = totalOrSingle(s, said);
  return q.perGroup ? firstOfEach(s, q, q.perGroup) : allOf(s, q);
}

/** The first of each of these, not of all. */
function firstOfEach(s: Settling, q: Query, by: Group): LensPlan {
  const of = allOf(s, query({ ...q, perGroup: null, limit: null }, q.features));
  const [first] = of.measures;
  const told: GroupedBy = { home: of.rows ?? rowsOf(s, q), dimensions: [], keys: [] };
  groupInto(s, told, by, null);
  const inner = of.dimensions.filter(
    (one) =>
      !told.dimensions.some(
        ({ path, field, grain }) => path === one.path && field === one.field && grain === one.grain,
      ),
  );
  if (inner.length === 0 || told.dimensions.some((one) => one.through)) unfit('one row has no first one');
  if (told.keys.length > 0) s.doubt('Those of one name are taken together.');
  const keys = [...told.keys, ...(of.per ?? [])];
  return {
    ...of,
    dimensions: [...told.dimensions, ...inner],
    limit_per: { by: told.dimensions, rows: q.limit! },
    ...(first && keys.length > 0 && { per: [...new Set(keys)] }),
  };
}
const rowsOf = (s: Settling, q: Query): string => {
  const [measure] = q.shown.filter((one): one is Measure => one.t === 'measure');
  const wanted = (q.things?.options ?? []).filter(({ by }) => !by).map(({ dataset }) => dataset);
  const { home, distinctOf, through } = homeFor(s, measure!, wanted.slice(0, 1));
  return distinctOf || through ? unfit('counted through the rows in between') : home;
};

/** "Title and release year": the names of rows apply to rows. */
const asRows = (s: Settling, q: Query): Query => {
  const [option, more] = q.things?.options ?? [];
  const by = option?.by;
  if (!q.things || !by || by.role || more || by.dataset !== option.dataset || by.fields.length > 1) return q;
  const isRanked = q.order.some((one) => one.by?.t === 'field');
  if (!(isRanked || q.shown.some(({ t }) => t === 'field')) || q.shown.some(({ t }) => t === 'measure')) return q;
  if (!s.vocabulary.display(by.dataset).includes(by.fields[0]!)) return q;
  const called = field(q.things.text, [by], []);
  return query(
    { ...q, things: { ...q.things, options: [{ dataset: by.dataset }] }, shown: [called, ...q.shown] },
    q.features,
  );
};

function allOf(s: Settling, said: Query): LensPlan {
  const q = asRows(s, said);
  const measures = q.shown.filter((one): one is Measure => one.t === 'measure');
  // "customers and revenue by state": two lists, or both by state?
  if (q.things && q.groups.length > 0) unfit('the things are identified by something else');
  if (q.things?.options.every(({ by }) => by) && q.things.conds.some(isCounted))
    return groupedThings(s, q, { ...q.things, conds: q.things.conds.map((one) => countedTogether(s, one)) }, measures);
  const isRanked = q.order.some(({ by }) => by?.t === 'measure');
  if (q.things && measures.length === 0 && !isRanked && !q.conds.some(isTotal) && !q.things.conds.some(isTotal))
    return listing(s, q, q.things);
  if (q.things) return groupedThings(s, q, q.things, measures);
  return measured(s, q, measures);
}

type Has = Extract<Cond, { is: 'has' }>;
const isCounted = (one: Cond): one is Has & { count: NonNullable<Has['count']> } =>
  one.is === 'has' && one.count !== null && /^(?:>|>=|=)$/.test(one.count.op);
/** "genres with more than 25 performances": counted over all rows of the genre. */
const countedTogether = (s: Settling, one: Cond): Cond => {
  if (!isCounted(one)) return one;
  if (one.verb !== null) linking(s, one.verb, ownHome(s, counted(one.things), []), []);
  return numberOf(one, one.count);
};
const numberOf = (one: Has, { op, value }: NonNullable<Has['count']>): Cond =>
  cond({ is: 'total', measure: counted(one.things), op, value, unit: null }, one.key, ['total']);
const counted = (of: Things): Measure =>
  measure({ is: 'count', things: { ...of, conds: [] }, conds: of.conds }, of.key, ['count']);

/** "customers with more than 5 orders" with the number of orders: the same rows are measured. */
const ofMeasured = (s: Settling, one: Cond, measures: readonly Measure[]): Cond => {
  const [of] = measures;
  if (one.is !== 'has' || !of || (one.count && !isCounted(one))) return one;
  const home = ownHome(s, of, []);
  if (!isOfRows(one.things, home)) return one;
  if (one.verb !== null) linking(s, one.verb, home, []);
  else if (!one.count && one.things.conds.length === 0) return unfit('all measured rows have these');
  return numberOf(one, one.count ?? { op: '>=', value: 1 });
};

/** The date of the measures, if a metric has its own and no other measure has a different one. */
const timeOf = (s: Settling, measures: readonly Measure[]): Settling['usual'] => {
  const times = measures.map((one) => (one.is === 'metric' ? metricOf(s, one).timeField : null));
  const [first] = times;
  return first && times.every((one) => one?.dataset === first.dataset && one.field === first.field) ? first : null;
};

function measured(s: Settling, q: Query, measures: readonly Measure[]): LensPlan {
  if (q.conds.some(isTotal)) return groupsCounted(s, q, measures);
  const wanted = q.groups.flatMap((one) => groupingDatasets(s, measures[0]!, one));
  const { home, distinctOf, through } = homeFor(s, measures[0]!, wanted);
  const told: GroupedBy = { home, dimensions: [], keys: [], ...(through && { through }) };
  s.usual = timeOf(s, measures);
  const timed = q.conds.find((one) => one.is === 'time');
  const verb = timed?.is === 'time' ? timed.verb : null;
  for (const one of q.groups) groupInto(s, told, one, verb);
  // A running total needs a time.
  if (q.groups.length === 0 && measures.every(({ is }) => is === 'running'))
    groupInto(s, told, group({ is: 'period', grain: 'month', date: null }, 'month'), verb);
  for (const one of q.shown) if (one.t === 'field') showOfGroups(s, told, one, q.groups);
  const said = q.conds.flatMap((one) => ofThoseRows(s, one, measures, home));
  const split = conditions(s, said, { home, from: home, ...countedBy(s, measures, home, said) });
  const plan: LensPlan = {
    ...emptyPlan(),
    measures: once(measures.map((one) => measureOf(s, one, home, distinctOf))),
    dimensions: told.dimensions,
    ...split,
    ...(told.keys.length > 0 && { per: told.keys }),
    limit: q.limit,
  };
  // Excludes rows that belong to none of the groups.
  if (told.through && told.dimensions.some((one) => one.through)) plan.filters.push({ exists: told.through.link });
  plan.order_by = q.order.map(({ by, direction }) => orderOf(s, plan, by, direction, home, distinctOf));
  if (plan.order_by.length === 0)
    plan.order_by = told.dimensions
      .filter(({ path, field }) => !!yearAt(s, path, field))
      .map(({ path, field }) => ({ field: { path, field }, direction: 'asc' }));
  if (told.dimensions.some(({ path }) => measures.some((one) => isOneSide(s, one, path))))
    unfit('one side has no such groups');
  if (told.dimensions.length === 0 && (plan.order_by.length > 0 || plan.limit !== null)) unfit('one row has no order');
  if (measures.some(({ is }) => is === 'change') && !plan.dimensions.some(({ grain }) => grain && !isDayPart(grain)))
    unfit('growth needs a period');
  return plan;
}

/** Grouped by the things that one side counts, if rows of the other side may not lead to any. */
const isOneSide = (s: Settling, one: Measure, path: string): boolean => {
  if (one.is !== 'combined') return false;
  const homes = [ownHome(s, one.left, []), ownHome(s, one.right, [])];
  return homes[0] !== homes[1] && homes.includes(path);
};

/** "… per customer. Return the customer name": a field of the group, or the group itself. */
function showOfGroups(s: Settling, told: GroupedBy, one: Field, groups: readonly Group[]): void {
  const own = groups.flatMap((by) => (by.is === 'things' ? by.things.options.filter((option) => !option.by) : []));
  const [thing] = own;
  const at = thing ? ownField(s, told.home, one, thing.dataset) : s.field(told.home, one.options, one.text);
  const known = told.dimensions.some(({ path, field: name }) => path === at.path && name === at.field.name);
  if (known) return;
  if (!thing || at.dataset.name !== thing.dataset || isOther(thing, at) || told.through)
    unfit('the condition is on something else');
  told.dimensions.push({ path: at.path, field: at.field.name });
}

/**
 * "citations received by publications": if publications have a number of citations, that field. "Gross of
 * films with over 20 votes": if rows are films, those rows.
 */
const ofThoseRows = (s: Settling, one: Cond, measures: readonly Measure[], home: string): readonly Cond[] => {
  if (one.is !== 'has' || one.count || !isOfRows(one.things, home)) return [one];
  const { verb, things } = one;
  if (verb === null && things.conds.length > 0 && measures.every(({ is }) => is === 'metric'))
    return things.conds.some(isTotal) ? unfit('a row would be measured by itself') : things.conds;
  if (verb === null || things.conds.length > 0 || !measures.every(({ is }) => is === 'aggregate')) return [one];
  linking(s, verb, home, []);
  return [];
};

/** "how many states have revenue over 1000": a count of measured groups. */
function groupsCounted(s: Settling, q: Query, measures: readonly Measure[]): LensPlan {
  const [counted, more] = measures;
  if (counted?.is !== 'count' || more || q.groups.length > 0 || q.order.length > 0)
    return unfit('a condition on groups without groups');
  const of = groupedThings(
    s,
    query({ things: things(counted.things.text, counted.things.options, q.conds, counted.things.features) }),
    { ...counted.things, conds: q.conds },
    [],
  );
  return {
    ...emptyPlan(),
    measures: [
      { fn: 'count_groups', of: of.having[0]!.measure, ...groupsOf(of.per, of.dimensions), having: of.having },
    ],
    filters: of.filters,
    time: of.time,
  };
}

/** Added to the cost of a name in a dataset that the rows don't lead to. */
const ELSEWHERE = 10;
/** Things with a measure for each. */
function groupedThings(s: Settling, q: Query, named: Things, measures: readonly Measure[]): LensPlan {
  const totals = [...named.conds.map((one) => ofMeasured(s, one, measures)), ...q.conds].filter(
    (one): one is Extract<Cond, { is: 'total' }> => one.is === 'total',
  );
  const [ranking] = q.order.flatMap(({ by }) => (by?.t === 'measure' ? [by] : []));
  const first = measures[0] ?? totals[0]?.measure ?? ranking ?? unfit('nothing measured');
  const rows = named.options.filter(({ by }) => !by).map(({ dataset }) => dataset);
  s.usual = timeOf(s, [first, ...measures]);
  const own = ownHome(s, first, rows);
  const values = rows.length > 0 ? [] : named.options.flatMap(({ by }) => by ?? []);
  const far =
    values.length > 0 && s.direct(own, values).length === 0
      ? nearestTo(
          s,
          own,
          values.map(({ dataset }) => dataset),
        )
      : [];
  const { home, distinctOf, through } = homeFor(s, first, rows.length > 0 ? [rows[0]!] : far);
  const by = values.length > 0 && !through ? s.field(home, values, named.text) : undefined;
  // Values belong to the field that the rows lead to, even if something else has the same name.
  const thing = by
    ? thingOf(s, named, (dataset) => (dataset === by.dataset.name ? 0 : ELSEWHERE))
    : thingOf(s, rows.length > 0 ? { ...named, options: named.options.filter((one) => !one.by) } : named);
  if (thing.dataset === home && !thing.by) unfit('a row would be measured by itself');
  const told: GroupedBy = { home, dimensions: [], keys: [], ...(through && { through }) };
  if (through && (named.conds.length > 0 || q.shown.some(({ t }) => t === 'field')))
    unfit('the column is behind a to-many relationship');
  if (by?.field.masked) unfit('masked');
  if (
    (by?.path !== home || q.limit === null) &&
    q.order.some(({ by: of, direction }) => of?.t === 'measure' && of.is === 'count' && direction === 'asc')
  )
    unfit('those with none are among the fewest');
  const fields = q.shown.filter((one): one is Field => one.t === 'field');
  if (by) told.dimensions.push({ path: by.path, field: by.field.name });
  else if (through && thing.by)
    groupInto(s, told, group({ is: 'field', field: field(named.text, values, []) }, named.key), null);
  else if (through) showBehind(s, told, through);
  else showThing(s, told, thing.dataset, s.path(home, thing.dataset, thing.role, named.text));
  if (q.features.includes('only') && fields.length > 0) told.dimensions.length = 0;
  for (const one of fields) {
    // "top statuses, return the status": it is already shown.
    if (by && s.direct(home, one.options).some(({ of: at }) => at.path === by.path && at.field === by.field)) continue;
    if (by) unfit('a value has no fields');
    const at = ownField(s, home, one, thing.dataset);
    if (isOther(thing, at)) unfit('the condition is on another role');
    if (!told.dimensions.some(({ path, field }) => path === at.path && field === at.field.name))
      told.dimensions.push({ path: at.path, field: at.field.name });
  }
  // "Wards with a total fee over 100 in 2020": a ward has no date, so its visits are meant.
  const isWhen = (one: Cond): boolean =>
    (one.is === 'days' || (one.is === 'time' && !one.verb)) && !one.field && !by && !hasDates(s, thing.dataset);
  const said = named.conds.filter((one) => !isTotal(ofMeasured(s, one, measures)) && !isWhen(one));
  if (!by && said.some((one) => relates(s, one, thing.dataset)))
    unfit('the condition is on the thing, not on the measured rows');
  const ofThings = conditions(s, said.concat(totals), {
    home,
    from: by ? home : thing.dataset,
    ...(by && { by, thing: thing.by!.identity !== undefined }),
  });
  const ofRows = conditions(s, [...q.conds.filter((one) => !isTotal(one)), ...named.conds.filter(isWhen)], {
    home,
    from: home,
  });
  if (ofThings.time && (ofRows.time || thing.role)) unfit('two periods, or a period of a role');
  const plan: LensPlan = {
    ...emptyPlan(),
    measures: once(measures.map((one) => measureOf(s, one, home, distinctOf))),
    dimensions: told.dimensions,
    filters: refuseAmbiguous(
      [...ofThings.filters.map((one) => inRole(s, one, home, by ? { dataset: home } : thing)), ...ofRows.filters],
      false,
    ),
    time: ofThings.time ?? ofRows.time,
    having: ofThings.having,
    limit: q.limit,
    ...(told.keys.length > 0 && { per: told.keys }),
    ...(measures.length === 0 && { grouped: true }),
  };
  // Rows without a parent aren't one of the things.
  const isChosen = plan.having.length > 0 || (q.limit !== null && ranking !== undefined);
  const keys = told.keys.flatMap((path) => {
    const { primaryKey, fields: own } = s.dataset(path);
    const key = own.find(({ name, masked }) => name === primaryKey[0] && !masked);
    return key && path !== home ? [{ path, field: key.name }] : [];
  });
  // A ranking that shows its numbers also shows the rows without a value. A name alone must not be empty.
  const named_ = by && q.limit !== null && measures.length === 0 ? [{ path: by.path, field: by.field.name }] : [];
  for (const key of isChosen ? [...keys, ...named_] : [])
    plan.filters.push({ field: key, op: 'is_not_null', values: [] });
  plan.order_by = q.order.map(({ by: sortedBy, direction }) => orderOf(s, plan, sortedBy, direction, home, distinctOf));
  return plan;
}

/** The same field, of another role than the thing plays. */
const isOther = ({ role }: NamedThing, { path }: Placed): boolean => role !== undefined && path !== role;

/** A condition on things that is about rows leading to them. */
const relates = (s: Settling, one: Cond, dataset: string): boolean =>
  one.is === 'has'
    ? !one.things.options.some((option) => s.leads(dataset, option.dataset))
    : one.is === 'not'
      ? relates(s, one.of, dataset)
      : one.is === 'all' || one.is === 'any'
        ? one.of.some((part) => relates(s, part, dataset))
        : false;

function orderOf(
  s: Settling,
  plan: LensPlan,
  by: Measure | Field | null,
  direction: 'asc' | 'desc',
  home: string,
  distinctOf: string | null,
): LensPlan['order_by'][number] {
  if (by === null) return unfit('ordered by nothing');
  if (by.t === 'field') {
    // "by paper, ordered by paper id": the id distinguishes the groups.
    const key = plan.per?.find((path) =>
      by.options.some(({ dataset, fields }) => {
        const { name, primaryKey } = s.dataset(path);
        return dataset === name && primaryKey.join() === fields[0]!.name;
      }),
    );
    const at = key
      ? { path: key, field: s.dataset(key).fields.find(({ name }) => name === s.dataset(key).primaryKey[0])! }
      : s.field(home, by.options, by.text);
    if (key) plan.dimensions = [...plan.dimensions, { path: key, field: at.field.name }];
    if (!plan.dimensions.some(({ path, field }) => path === at.path && field === at.field.name))
      unfit('ordered by what is not told');
    return { field: { path: at.path, field: at.field.name }, direction };
  }
  return { measure: measureOf(s, by, home, distinctOf), direction };
}
