// Lists of things, with the fields to show.

import { emptyPlan, type Filter, type LensPlan } from '../../plan/lens-plan.ts';
import { dateOf } from './dates.ts';
import { filtersOf } from './filters.ts';
import { type GroupedBy, showRow } from './groups.ts';
import { isWhole, thingOf } from './homes.ts';
import { type Placed, type Settling, unfit } from './settle.ts';
import type { Field, NamedThing, Query, Things } from './terms.ts';

export function listing(s: Settling, q: Query, named: Things): LensPlan {
  const thing = thingOf(s, named);
  const { dataset: home } = thing;
  const fields = q.shown as readonly Field[];
  const told: GroupedBy = { home, dimensions: [], keys: [] };
  const isKey = thing.by !== undefined && s.vocabulary.dataset(home).primaryKey.join() === thing.by.fields[0]!.name;
  if (isKey) told.dimensions.push({ path: home, field: thing.by!.fields[0]!.name });
  const by =
    thing.by && !isKey ? { path: home, field: thing.by.fields[0]!, dataset: s.vocabulary.dataset(home) } : undefined;
  if (by?.field.masked) unfit('masked');
  if (by) told.dimensions.push({ path: home, field: by.field.name });
  else if (!isKey && (fields.length === 0 || (q.order.length > 0 && !q.features.includes('only')) || q.named))
    showRow(s, told, home);
  for (const one of fields) {
    const options = one.options.find(({ dataset, fields: all }) => dataset === home && all.length > 1)?.fields;
    const placed = options ? options.map((field) => ({ path: home, field })) : [ownField(s, home, one)];
    for (const { path, field } of placed)
      if (!told.dimensions.some((known) => known.path === path && known.field === field.name))
        told.dimensions.push({ path, field: field.name });
  }
  if (by && (fields.length > 0 || q.order.length > 0)) unfit('a value has no fields');
  const place = {
    home,
    from: home,
    said: named.text,
    ...(by && { by, thing: thing.by!.identity !== undefined, distinct: named.features.includes('distinct') }),
  };
  const filters = refuseAmbiguous(filtersOf(s, [...named.conds, ...q.conds], place), by !== undefined);
  if (!isWhole(s, thing) && !filters.some((one) => isLedBy(s, one, thing)))
    unfit(`${named.text} are only a part of ${thing.dataset}`);
  const order = q.order.map(({ by: sortedBy, direction }): LensPlan['order_by'][number] => {
    const at =
      sortedBy === null
        ? dateOf(s, home, named.text, null)
        : sortedBy.t === 'field'
          ? s.field(home, sortedBy.options, sortedBy.text)
          : unfit('not a field of one row');
    if (sortedBy?.features.includes('own') && at.path !== home) return unfit('the field belongs to something else');
    const field = { path: at.path, field: at.field.name };
    return { field, direction };
  });
  return {
    ...emptyPlan(),
    rows: home,
    dimensions: told.dimensions,
    filters,
    order_by: order,
    limit: q.limit,
    distinct: by !== undefined,
  };
}

/** "The homeroom teacher of 5A": rows that play a role for others lead to the thing. */
const isLedBy = ({ vocabulary: { lens } }: Settling, one: Filter, { dataset, role }: NamedThing): boolean =>
  'exists' in one &&
  one.exists !== dataset &&
  lens.relationships
    .filter(({ from, to }) => from.dataset === one.exists && to.dataset === dataset)
    .every((each) => each.role === role || one.via === role);

/**
 * A field of the things themselves, or of something they lead to if the name says so: "customer name" of
 * orders.
 */
export function ownField(s: Settling, home: string, { options, text }: Field, from = home): Placed {
  const at = s.field(home, options, text, from);
  if (at.dataset.name === from && (at.path === from || from !== home)) return at;
  const said = s.vocabulary.key(text).split(' ');
  const titles = [at.path, at.dataset.name, ...at.dataset.synonyms].flatMap((one) => s.vocabulary.key(one).split(' '));
  return titles.some((title) => said.includes(title)) ? at : unfit('the field belongs to something else');
}

/** Several conditions on a value with many rows: on one row, or on any row each? */
export const refuseAmbiguous = (filters: Filter[], values: boolean): Filter[] =>
  values &&
  new Set(
    filters.flatMap((one) =>
      'field' in one && !(one.op === '>=' || one.op === '<') ? [`${one.field.path}.${one.field.field}`] : [],
    ),
  ).size > 1
    ? unfit('the conditions may be on one row or on several')
    : filters;
