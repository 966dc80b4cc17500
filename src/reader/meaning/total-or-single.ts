// A field of single rows applied to a thing with many of them: "customers with line amount over 60", "average
// fee per patient", "the account with the highest mrr". It can mean the total or any single row. If the words
// don't decide, svc asks back.
import { addsUp } from '../words/adds-up.ts';
import { isNumeric } from '../words/datatypes.ts';
import { inUnit } from './filters.ts';
import { type Settling, unfit } from './settle.ts';
import {
  type Aggregated,
  type Cond,
  cond,
  type Field,
  type Group,
  group,
  type Measure,
  measure,
  type NamedField,
  type Query,
  query,
  sorted,
  type Things,
  things,
} from './terms.ts';

type Way = 'total' | 'average' | 'single';

export function totalOrSingle(s: Settling, q: Query): Query {
  const averaged = averageOfEach(s, q);
  if (averaged) return averaged;
  const [counted, more] = q.shown;
  const isCount = !q.things && counted?.t === 'measure' && counted.is === 'count' && !more && q.groups.length === 0;
  const of = q.things ?? (isCount ? counted.things : null);
  if (!of) return q;
  const hasTotal = [...q.conds, ...(q.things?.conds ?? [])].some(({ is }) => is === 'total');
  // Next to a measure, a number belongs to the measured rows.
  const isMeasured = !isCount && [...q.shown, ...q.order.map(({ by }) => by)].some((one) => one?.t === 'measure');
  const settle = (one: Cond): Cond => (one.is === 'total' || !(isMeasured || hasTotal) ? compared(s, one, of) : one);
  const conds = q.conds.map(settle);
  const own = q.things && things(q.things.text, q.things.options, q.things.conds.map(settle), q.things.features);
  return rankedBy(s, query({ ...q, conds, things: own }, q.features), of);
}

const homeOf = ({ options }: Things): string | null => {
  const [only, more] = options.filter(({ by }) => !by);
  return only && !more ? only.dataset : null;
};
/** The only matching number of more detailed rows, if the thing has no such field itself. */
const finer = (s: Settling, options: readonly NamedField[], home: string): NamedField | null => {
  if (options.some(({ dataset }) => dataset === home || s.leads(home, dataset))) return null;
  const behind = options.filter(({ dataset, fields }) => isNumeric(fields[0]!.datatype) && s.leads(dataset, home));
  const least = Math.min(...behind.map(({ loose }) => loose));
  const [only, more] = behind.filter(({ loose }) => loose === least);
  return only && !more ? only : null;
};
/** "mrr" for a metric named total mrr, if each row has an mrr. */
const fieldBehind = (s: Settling, of: Measure, home: string): NamedField | null => {
  if (of.is !== 'metric' || of.called === undefined || of.metrics.length !== 1) return null;
  const { key, phrases } = s.vocabulary;
  const [metric] = of.metrics;
  const said = key(of.called);
  if ([metric!.name, ...metric!.synonyms].some((name) => key(name) === said)) return null;
  const fields = (phrases.get(said) ?? []).flatMap((term): NamedField[] =>
    term.kind === 'field' && metric!.references.fields.some(({ field }) => field === term.field.name)
      ? [{ dataset: term.dataset, fields: [term.field], loose: term.loose }]
      : [],
  );
  return finer(s, fields, home);
};

function taken(s: Settling, term: string, { dataset, fields: [field] }: NamedField, averages: boolean): Way {
  const adds = addsUp(s.vocabulary.lens, dataset, field!);
  const [said, rows] = [field!.name, dataset].map((name) => name.replaceAll('_', ' '));
  const ways: [Way, string][] = [
    ...(adds === 'no' ? [] : [['total', `the total ${said} of each`] as [Way, string]]),
    ...(adds === 'yes' || !averages ? [] : [['average', `the average ${said} of each`] as [Way, string]]),
    ['single', `any single one of ${rows}`],
  ];
  return s.pick(
    'row or total',
    term,
    ways.map(([key, label]) => ({ of: key, key, label, cost: 0 })),
  );
}
const asField = (said: string, of: NamedField): Field => ({
  t: 'field',
  text: said,
  options: [of],
  key: `${of.dataset}.${of.fields[0]!.name}`,
  features: ['number'],
});
const aggregated = (fn: Aggregated, of: Field): Measure =>
  measure({ is: 'aggregate', fn, field: of, conds: [] }, `${fn} ${of.key}`, ['aggregate']);
const rowsWith = (of: NamedField, one: Cond): Cond =>
  cond(
    {
      is: 'has',
      things: things(of.dataset, [{ dataset: of.dataset }], [one], ['many', 'rows']),
      verb: null,
      count: null,
    },
    `${of.dataset} ${one.key}`,
    ['has'],
  );

/** "customers with line amount over 60", "accounts with mrr over 100". */
function compared(s: Settling, one: Cond, of: Things): Cond {
  const home = homeOf(of);
  if (one.is === 'compare' && home === null) return comparedRows(s, one, of);
  if (home === null || (one.is !== 'compare' && one.is !== 'total')) return one;
  const found = one.is === 'compare' ? finer(s, one.field.options, home) : fieldBehind(s, one.measure, home);
  if (!found || (one.is === 'compare' && one.values.some((each) => typeof each === 'string'))) return one;
  const said = one.is === 'compare' ? one.field.text : one.measure.is === 'metric' ? one.measure.called! : '';
  const meant = asField(said, found);
  const [op, values, unit] = one.is === 'compare' ? [one.op, one.values, one.unit] : [one.op, [one.value], one.unit];
  const way = taken(s, `${said} ${SAID[op] ?? op} ${values.join(' and ')}`, found, true);
  if (way === 'single')
    return rowsWith(
      found,
      cond({ is: 'compare', field: meant, op, values, unit }, `${meant.key} ${op} ${values.join()}`),
    );
  if (one.is === 'total' && way === 'total') return one;
  if (values.length !== 1) return unfit('a range of totals');
  const by = aggregated(way === 'total' ? 'sum' : 'avg', meant);
  return cond({ is: 'total', measure: by, op, value: Number(values[0]), unit }, `${by.key} ${op} ${values[0]}`, [
    'total',
  ]);
}
/**
 * "products discounted more than 50 percent", "orders that took more than 6 days to ship", if each has
 * several rows.
 */
function comparedRows(s: Settling, one: Extract<Cond, { is: 'compare' }>, of: Things): Cond {
  const found = ofSeveralRows(s, one.field.options, of);
  const [value, more] = one.values;
  if (!found || more !== undefined || typeof value !== 'number') return one;
  const way = taken(s, `${one.field.text} ${SAID[one.op] ?? one.op} ${value}`, found, true);
  if (way === 'single') return { ...one, anyRow: true };
  const by = aggregated(way === 'total' ? 'sum' : 'avg', asField(one.field.text, found));
  const meant = one.unit === null ? value : inUnit(value, one.unit, found.fields[0]!);
  return cond({ is: 'total', measure: by, op: one.op, value: meant, unit: null }, `${by.key} ${one.key}`, ['total']);
}
const SAID: Readonly<Record<string, string>> = {
  '>': 'over',
  '<': 'under',
  '>=': 'at least',
  '<=': 'at most',
  '=': 'of',
};

/** "top 10 customers by line amount", "the account with the highest mrr". */
function rankedBy(s: Settling, q: Query, of: Things): Query {
  const [first, more] = q.order;
  const home = homeOf(of);
  if (!first?.by || more || home === null || q.limit === null) return q;
  const { by, direction } = first;
  const found = by.t === 'field' ? finer(s, by.options, home) : fieldBehind(s, by, home);
  const listed = q.limit > 1;
  if (!found || (by.t === 'measure' && listed)) return q;
  // "bottom 5 mechanics by lowest cost" names the minimum of each.
  if (by.features.includes('extreme')) return unfit('a total is not an extreme');
  const said = by.t === 'field' ? by.text : by.is === 'metric' ? by.called! : '';
  const meant = asField(said, found);
  const adds = addsUp(s.vocabulary.lens, found.dataset, found.fields[0]!);
  const plain: Way | null = listed ? (adds === 'yes' ? 'total' : null) : adds === 'no' ? 'single' : null;
  // Over all rows, or over those that match the condition?
  if (plain === 'single' && q.conds.length > 0) return q;
  const way =
    plain ??
    taken(
      s,
      `${listed ? (direction === 'desc' ? 'top' : 'bottom') : direction === 'desc' ? 'highest' : 'lowest'} ${said}`,
      found,
      true,
    );
  if (plain === 'total')
    s.note(
      `${said} is added up over the ${found.dataset.replaceAll('_', ' ')} of each of the ${of.text.toLowerCase()}.`,
    );
  if (by.t === 'measure' && way === 'total') return q;
  const fn = way === 'total' ? 'sum' : way === 'average' ? 'avg' : direction === 'desc' ? 'max' : 'min';
  const made = aggregated(fn, meant);
  const shown = q.shown.map((one) => (one.key === by.key ? made : one));
  return query({ ...q, shown, order: [sorted(made, direction)] }, q.features);
}

/** "average fee per patient": the mean of totals, or each patient's mean of single rows? */
function averageOfEach(s: Settling, q: Query): Query | null {
  const [only, more] = q.shown;
  if (!only || more || only.t !== 'measure' || only.is !== 'aggregate' || only.fn !== 'avg') return null;
  const by = q.groups.find((one) => one.features.includes('per') && thingsOf(s, one));
  if (!by) return null;
  const each = thingsOf(s, by);
  const home = each && homeOf(each);
  const found = home ? finer(s, only.field.options, home) : each && ofSeveralRows(s, only.field.options, each);
  if (!each || !found || addsUp(s.vocabulary.lens, found.dataset, found.fields[0]!) === 'no') return null;
  if (only.field.of?.options.some(({ dataset }) => dataset === found.dataset)) return null;
  if (taken(s, `average ${only.field.text} per ${each.text}`, found, false) === 'single') return null;
  const over = group({ is: 'things', things: each }, each.key);
  const mean = measure(
    { is: 'averaged', fn: 'avg', of: aggregated('sum', only.field), over, conds: [] },
    `avg ${only.field.key} ${over.key}`,
    ['averaged'],
  );
  return query({ ...q, shown: [mean], groups: q.groups.filter((one) => one !== by) }, q.features);
}
/** A number of the rows over which things are counted distinct: the customers of order lines. */
const ofSeveralRows = (
  s: Settling,
  options: readonly NamedField[],
  { options: [thing] }: Things,
): NamedField | null => {
  const [key, more] = thing?.by?.fields ?? [];
  if (!thing || !key || more || s.dataset(thing.dataset).primaryKey.includes(key.name)) return null;
  return options.find(({ dataset, fields }) => dataset === thing.dataset && isNumeric(fields[0]!.datatype)) ?? null;
};
/** A kind or a town isn't a thing, and "per town" gives a row for each. */
const thingsOf = (s: Settling, by: Group): Things | null => {
  if (by.is === 'things') return by.things;
  if (by.is !== 'field') return null;
  const counted = by.field.options.filter(({ identity, fields: [key] }) => identity === 'key' && !key!.masked);
  if (counted.length > 0)
    return things(
      by.field.text,
      counted.map((one) => ({ dataset: one.dataset, by: one })),
      [],
      ['one', 'rows'],
    );
  const options = by.field.options.filter(({ dataset, fields }) =>
    fields.every(
      (one) => s.dataset(dataset).primaryKey.includes(one.name) || s.vocabulary.display(dataset).includes(one),
    ),
  );
  return options.length > 0
    ? things(
        by.field.text,
        options.map(({ dataset }) => ({ dataset })),
        [],
        ['one', 'rows'],
      )
    : null;
};
