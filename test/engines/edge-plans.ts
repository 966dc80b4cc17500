// Plans over the edges of every type, beside what PostgreSQL says by hand. Floats are compared by their first digits,
// everything else by every digit.
import type { Plan } from '../plans/stage.ts';

export interface EdgePlan {
  name: string;
  plan: Plan;
  sql: string;
}
const by = (field: string): Plan => ({ measures: [{ fn: 'count', rows: 'edges' }], dimensions: [field] }) as Plan;
const rowsOf = (...fields: string[]): Plan => ({ rows: 'edges', dimensions: fields }) as Plan;
const where = (field: string, op: string, ...values: (string | number)[]): Plan =>
  ({ rows: 'edges', dimensions: ['edges.edge_id'], filters: [{ field, op, values }] }) as Plan;
const during = (field: string, span: string): Plan =>
  ({ rows: 'edges', dimensions: ['edges.edge_id'], filters: [{ field, during: span }] }) as Plan;
const measured = (fn: string, field: string): Plan => ({ measures: [{ fn, field }] }) as Plan;
const PARIS = "at time zone 'UTC' at time zone 'Europe/Paris'";

export const EDGE_PLANS: readonly EdgePlan[] = [
  {
    name: 'days by year',
    plan: by('edges.day.year'),
    sql: "select date_trunc('year', day)::date, count(*) from edges group by 1",
  },
  {
    name: 'days by ISO week',
    plan: by('edges.day.week'),
    sql: "select date_trunc('week', day)::date, count(*) from edges group by 1",
  },
  {
    name: 'days by quarter',
    plan: by('edges.day.quarter'),
    sql: "select date_trunc('quarter', day)::date, count(*) from edges group by 1",
  },
  {
    name: 'days by number of the ISO week',
    plan: by('edges.day.week_of_year'),
    sql: 'select extract(week from day)::int, count(*) from edges group by 1',
  },
  {
    name: 'days by weekday',
    plan: by('edges.day.weekday'),
    sql: "select trim(to_char(day, 'Day')), count(*) from edges group by 1",
  },
  {
    name: 'moments by day in the zone of the lens',
    plan: by('edges.moment.day'),
    sql: `select (moment ${PARIS})::date, count(*) from edges group by 1`,
  },
  {
    name: 'moments by hour where clocks change',
    plan: by('edges.moment.hour'),
    sql: `select extract(hour from moment ${PARIS})::int, count(*) from edges group by 1`,
  },
  {
    name: 'moments of a day of 23 hours',
    plan: during('edges.moment', '2024-03-31'),
    sql: `select edge_id from edges where (moment ${PARIS})::date = '2024-03-31'`,
  },
  {
    name: 'moments of a year that begins an hour earlier',
    plan: during('edges.moment', '2024'),
    sql: `select edge_id from edges where extract(year from moment ${PARIS}) = 2024`,
  },
  {
    name: 'days before 1970',
    plan: where('edges.day', '<', '1970-01-01'),
    sql: "select edge_id from edges where day < '1970-01-01'",
  },
  {
    name: 'days of a leap day',
    plan: where('edges.day', 'in', '2024-02-29'),
    sql: "select edge_id from edges where day = '2024-02-29'",
  },
  { name: 'words apart by case', plan: by('edges.word'), sql: 'select word, count(*) from edges group by word' },
  {
    name: 'an empty word is not a missing one',
    plan: where('edges.word', 'in', ''),
    sql: "select edge_id from edges where word = ''",
  },
  {
    name: 'a missing word',
    plan: { rows: 'edges', dimensions: ['edges.edge_id'], filters: [{ field: 'edges.word', op: 'is_null' }] } as Plan,
    sql: 'select edge_id from edges where word is null',
  },
  {
    name: 'a word with signs of every kind',
    plan: where('edges.word', 'in', "it's \\ 100% _x_"),
    sql: "select edge_id from edges where word = 'it''s \\ 100% _x_'",
  },
  {
    name: 'part of a word with wild signs',
    plan: where('edges.word', 'contains', '% _'),
    sql: "select edge_id from edges where word like '%\\% \\_%'",
  },
  {
    name: 'part of a word with a backslash',
    plan: where('edges.word', 'contains', '\\'),
    sql: "select edge_id from edges where word like '%\\\\%'",
  },
  {
    name: 'part of a word of other letters',
    plan: where('edges.word', 'contains', '漢'),
    sql: "select edge_id from edges where word like '%漢%'",
  },
  { name: 'the largest integers', plan: rowsOf('edges.edge_id', 'edges.big'), sql: 'select edge_id, big from edges' },
  {
    name: 'an integer beyond floats',
    plan: where('edges.big', 'in', '9007199254740993'),
    sql: 'select edge_id from edges where big = 9007199254740993',
  },
  {
    name: 'a sum beyond 64 bits',
    plan: {
      measures: [{ fn: 'sum', field: 'edges.big' }],
      filters: [{ field: 'edges.big', op: '>', values: [0] }],
    } as Plan,
    sql: 'select sum(big) from edges where big > 0',
  },
  {
    name: 'decimals of 38 digits',
    plan: rowsOf('edges.edge_id', 'edges.exact'),
    sql: 'select edge_id, exact from edges',
  },
  {
    name: 'a sum of decimals of 38 digits',
    plan: {
      measures: [{ fn: 'sum', field: 'edges.exact' }],
      filters: [{ field: 'edges.edge_id', op: 'in', values: [2, 4, 6, 7] }],
    } as Plan,
    sql: 'select sum(exact) from edges where edge_id in (2, 4, 6, 7)',
  },
  {
    name: 'a decimal that no float is',
    plan: where('edges.money', 'in', 0.05),
    sql: 'select edge_id from edges where money = 0.05',
  },
  {
    name: 'a decimal of many digits',
    plan: where('edges.exact', 'in', '1234567890123456789.0123456789'),
    sql: 'select edge_id from edges where exact = 1234567890123456789.0123456789',
  },
  {
    name: 'the largest and the least decimal',
    plan: {
      measures: [
        { fn: 'min', field: 'edges.exact' },
        { fn: 'max', field: 'edges.exact' },
      ],
    } as Plan,
    sql: 'select min(exact), max(exact) from edges',
  },
  {
    name: 'a ratio that never ends',
    plan: { metrics: ['money_per_piece'], dimensions: ['edges.edge_id'] } as Plan,
    sql: 'select edge_id, sum(money) / nullif(sum(pieces), 0) from edges group by edge_id',
  },
  {
    name: 'a sum of no rows',
    plan: {
      measures: [
        { fn: 'sum', field: 'edges.money' },
        { fn: 'count', rows: 'edges' },
      ],
      filters: [{ field: 'edges.edge_id', op: '>', values: [100] }],
    } as Plan,
    sql: 'select sum(money), count(*) from edges where edge_id > 100',
  },
  { name: 'the mean of integers', plan: measured('avg', 'edges.pieces'), sql: 'select avg(pieces) from edges' },
  { name: 'the mean of decimals', plan: measured('avg', 'edges.money'), sql: 'select avg(money) from edges' },
  {
    name: 'different values, nulls apart',
    plan: {
      measures: [
        { fn: 'count_distinct', field: 'edges.pieces' },
        { fn: 'count', field: 'edges.pieces' },
      ],
    } as Plan,
    sql: 'select count(distinct pieces), count(pieces) from edges',
  },
  { name: 'floats of any size', plan: rowsOf('edges.edge_id', 'edges.ratio'), sql: 'select edge_id, ratio from edges' },
  {
    name: 'bins of integers, below nothing too',
    plan: { measures: [{ fn: 'count', rows: 'edges' }], dimensions: [{ field: 'edges.money', bin: 50 }] } as Plan,
    sql: 'select floor(money / 50) * 50, count(*) from edges group by 1',
  },
];
