// Lists of things, with the fields to show.

import { emptyPlan, type Filter, type LensPlan } from '../../plan/lens-plan.ts';
import { dateOf } from './dates.ts';
import { filtersOf } from './filters.ts';
import { addRow, type GroupBuilder } from './groups.ts';
import { isWhole, thingOf } from './homes.ts';
import { type NameResolution, type PlacedField, reject } from './name-resolution.ts';
import type { Entities, EntityCandidate, Field, Query } from './terms.ts';

export function listing(s: NameResolution, q: Query, named: Entities): LensPlan {
  const thing = thingOf(s, named);
  const { dataset: home } = thing;
  const fields = q.shown as readonly Field[];
  const builder: GroupBuilder = { home, dimensions: [], keys: [] };
  const isKey = thing.by !== undefined && s.vocabulary.dataset(home).primaryKey.join() === thing.by.fields[0]!.name;
  if (isKey) builder.dimensions.push({ path: home, field: thing.by!.fields[0]!.name });
  const by =
    thing.by && !isKey ? { path: home, field: thing.by.fields[0]!, dataset: s.vocabulary.dataset(home) } : undefined;
  if (by?.field.masked) reject('masked');
  if (by) builder.dimensions.push({ path: home, field: by.field.name });
  else if (!isKey && (fields.length === 0 || (q.order.length > 0 && !q.features.includes('only')) || q.named))
    addRow(s, builder, home);
  for (const candidate of fields) {
    const options = candidate.options.find(({ dataset, fields: all }) => dataset === home && all.length > 1)?.fields;
    const placed = options ? options.map((field) => ({ path: home, field })) : [fieldOfRow(s, home, candidate)];
    for (const { path, field } of placed)
      if (!builder.dimensions.some((known) => known.path === path && known.field === field.name))
        builder.dimensions.push({ path, field: field.name });
  }
  if (by && (fields.length > 0 || q.order.length > 0)) reject('a value has no fields');
  const place = {
    home,
    from: home,
    said: named.text,
    ...(by && { by, thing: thing.by!.identity !== undefined, distinct: named.features.includes('distinct') }),
  };
  const filters = refuseAmbiguous(filtersOf(s, [...named.predicates, ...q.predicates], place), by !== undefined);
  if (!isWhole(s, thing) && !filters.some((one) => isLedBy(s, one, thing)))
    reject(`${named.text} are only a part of ${thing.dataset}`);
  const order = q.order.map(({ by: sortedBy, direction }): LensPlan['order_by'][number] => {
    const at =
      sortedBy === null
        ? dateOf(s, home, named.text, null)
        : sortedBy.t === 'field'
          ? s.field(home, sortedBy.options, sortedBy.text)
          : reject('not a field of one row');
    if (sortedBy?.features.includes('own') && at.path !== home) return reject('the field belongs to something else');
    const field = { path: at.path, field: at.field.name };
    return { field, direction };
  });
  return {
    ...emptyPlan(),
    rows: home,
    dimensions: builder.dimensions,
    filters,
    order_by: order,
    limit: q.limit,
    distinct: by !== undefined,
  };
}

/** "The homeroom teacher of 5A": rows that play a role for others lead to the thing. */
const isLedBy = (
  { vocabulary: { lens } }: NameResolution,
  filter: Filter,
  { dataset, role }: EntityCandidate,
): boolean =>
  'exists' in filter &&
  filter.exists !== dataset &&
  lens.relationships
    .filter(({ from, to }) => from.dataset === filter.exists && to.dataset === dataset)
    .every((each) => each.role === role || filter.via === role);

/**
 * A field of the things themselves, or of something they lead to if the name says so: "customer name" of
 * orders.
 */
export function fieldOfRow(s: NameResolution, home: string, { options, text }: Field, from = home): PlacedField {
  const at = s.field(home, options, text, from);
  if (at.dataset.name === from && (at.path === from || from !== home)) return at;
  const words = s.vocabulary.key(text).split(' ');
  const titles = [at.path, at.dataset.name, ...at.dataset.synonyms].flatMap((one) => s.vocabulary.key(one).split(' '));
  return titles.some((title) => words.includes(title)) ? at : reject('the field belongs to something else');
}

/** Several conditions on a value with many rows: on one row, or on any row each? */
export const refuseAmbiguous = (filters: Filter[], values: boolean): Filter[] =>
  values &&
  new Set(
    filters.flatMap((one) =>
      'field' in one && !(one.op === '>=' || one.op === '<') ? [`${one.field.path}.${one.field.field}`] : [],
    ),
  ).size > 1
    ? reject('the conditions may be on one row or on several')
    : filters;
