// Statements as people write them, and the plan that each equals; near ones that look so and mean something else.
import type { PlanInput } from './stage.ts';

export interface Everyday {
  about: string;
  sql: string;
  plan: PlanInput;
}
export interface NearMiss {
  about: string;
  sql: string;
  /** What a careless reader would take it for: another statement, whose rows are others. */
  looksLike: string;
}

export const EVERYDAY: readonly Everyday[] = [
  {
    about: 'a group by a key that is not shown',
    sql: 'select c.client_name, count(*) as jobs from jobs j join clients c on c.client_id = j.client_id group by c.client_id, c.client_name',
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      dimensions: ['clients.client_name'],
      filters: [{ field: 'clients.client_id', op: 'is_not_null', values: [] }],
      per: ['clients'],
    },
  },
  {
    about: 'a group by a name and what it tells',
    sql: 'select c.client_id, c.client_name, c.city, sum(j.price) from jobs j join clients c using (client_id) group by c.client_id, c.client_name, c.city',
    plan: {
      metrics: ['revenue'],
      dimensions: ['clients.client_id', 'clients.client_name', 'clients.city'],
      filters: [{ field: 'clients.client_id', op: 'is_not_null', values: [] }],
    },
  },
  {
    about: 'rows of which some have none',
    sql: 'select c.client_name, count(j.job_id) as jobs from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      dimensions: ['clients.client_name'],
      per: ['clients'],
      every: 'clients',
    },
  },
  {
    about: 'rows of which some have none, each with its own condition',
    sql: "select c.client_name, coalesce(sum(j.price), 0) as billed from clients c left join jobs j on j.client_id = c.client_id and j.kind = 'clock' where c.city = 'York' group by c.client_id, c.client_name",
    plan: {
      measures: [{ fn: 'sum', field: 'jobs.price' }],
      dimensions: ['clients.client_name'],
      filters: [
        { field: 'clients.city', op: '=', values: ['York'] },
        { field: 'jobs.kind', op: '=', values: ['clock'] },
      ],
      per: ['clients'],
      every: 'clients',
    },
  },
  {
    about: 'two counts of which one is of the groups themselves',
    sql: 'select c.city, count(distinct c.client_id) as clients, count(distinct j.kind) as kinds from clients c left join jobs j on j.client_id = c.client_id group by c.city',
    plan: {
      measures: [
        { fn: 'count', rows: 'clients' },
        { fn: 'count_distinct', field: 'jobs.kind' },
      ],
      dimensions: ['clients.city'],
      every: 'clients',
    },
  },
  {
    about: 'an anti-join',
    sql: "select c.client_name from clients c left join jobs j on c.client_id = j.client_id and j.kind = 'radio' where j.job_id is null",
    plan: {
      dimensions: ['clients.client_name'],
      rows: 'clients',
      filters: [{ not_exists: 'jobs', where: [{ field: 'jobs.kind', op: '=', values: ['radio'] }] }],
    },
  },
  {
    about: 'no rows in a list',
    sql: "select client_name from clients where client_id not in (select client_id from jobs where client_id is not null and kind = 'clock')",
    plan: {
      dimensions: ['clients.client_name'],
      rows: 'clients',
      filters: [
        {
          not_exists: 'jobs',
          where: [
            { field: 'jobs.client_id', op: 'is_not_null', values: [] },
            { field: 'jobs.kind', op: '=', values: ['clock'] },
          ],
        },
      ],
    },
  },
  {
    about: 'rows in a list with a join',
    sql: "select m.mechanic_name from mechanics m where m.mechanic_id in (select ms.mechanic_id from mechanic_skills ms join skills s on s.skill_id = ms.skill_id where lower(s.skill_name) like '%cl%')",
    plan: {
      dimensions: ['mechanics.mechanic_name'],
      rows: 'mechanics',
      filters: [
        {
          exists: 'mechanic_skills',
          where: [
            { field: 'skills.skill_name', op: 'contains', values: ['cl'] },
            { field: 'skills.skill_id', op: 'is_not_null', values: [] },
          ],
        },
      ],
    },
  },
  {
    about: 'neither this nor that',
    sql: "select count(*) from jobs j where not exists (select 1 from payments p where p.job_id = j.job_id and (p.method = 'card' or p.amount > 100))",
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      filters: [
        { not_exists: 'payments', where: [{ field: 'payments.method', op: '=', values: ['card'] }] },
        { not_exists: 'payments', where: [{ field: 'payments.amount', op: '>', values: [100] }] },
      ],
    },
  },
  {
    about: 'whatever the case of letters',
    sql: "select count(*) from clients where client_name ilike '%MO%' and city not ilike 'y%'",
    plan: {
      measures: [{ fn: 'count', rows: 'clients' }],
      filters: [
        { field: 'clients.client_name', op: 'contains', values: ['MO'] },
        { not: { field: 'clients.city', op: 'starts_with', values: ['y'] } },
      ],
    },
  },
  {
    about: 'months of a date',
    sql: "select date_trunc('month', opened) as month, count(*) from jobs group by date_trunc('month', opened) order by month",
    plan: { measures: [{ fn: 'count', rows: 'jobs' }], dimensions: ['jobs.opened.month'] },
  },
  {
    about: 'days of an instant',
    sql: 'select started::date as day, count(*) from visits group by started::date',
    plan: { measures: [{ fn: 'count', rows: 'visits' }], dimensions: ['visits.started.day'] },
  },
  {
    about: 'a part of a date in a year',
    sql: 'select extract(quarter from opened) as quarter, count(distinct client_id) from jobs where extract(year from opened) = 2024 group by extract(quarter from opened)',
    plan: {
      measures: [{ fn: 'count_distinct', field: 'jobs.client_id' }],
      dimensions: ['jobs.opened.quarter_of_year'],
      time: { field: 'jobs.opened', from: '2024-01-01', to: '2025-01-01' },
    },
  },
  {
    about: 'a day of an instant as a bound',
    sql: "select count(*) from visits where started::date >= '2024-01-08' and started::date <= '2024-03-09'",
    plan: {
      measures: [{ fn: 'count', rows: 'visits' }],
      time: { field: 'visits.started', from: '2024-01-08', to: '2024-03-10' },
    },
  },
  {
    about: 'counted back from today',
    sql: "select count(*) from jobs where opened >= current_date - interval '6 months'",
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      filters: [{ field: 'jobs.opened', op: '>=', values: ['{six months ago}'] }],
    },
  },
  {
    about: 'a percentage of the rows',
    sql: 'select kind, round(sum(case when price > 100 then 1 else 0 end) * 100.0 / nullif(count(*), 0), 2) as dear from jobs group by kind',
    plan: {
      measures: [
        {
          fn: 'round',
          of: {
            fn: 'ratio',
            of: [
              { fn: 'count', rows: 'jobs', where: [{ field: 'jobs.price', op: '>', values: [100] }] },
              { fn: 'count', rows: 'jobs' },
            ],
            percent: true,
          },
          digits: 2,
        },
      ],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'a percentage by a filter',
    sql: 'select kind, round(100.0 * count(*) filter (where rating >= 4) / count(*), 1) as good from jobs group by kind',
    plan: {
      measures: [
        {
          fn: 'round',
          of: {
            fn: 'ratio',
            of: [
              { fn: 'count', rows: 'jobs', where: [{ field: 'jobs.rating', op: '>=', values: [4] }] },
              { fn: 'count', rows: 'jobs' },
            ],
            percent: true,
          },
          digits: 1,
        },
      ],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'a share of all',
    sql: 'select kind, count(*) as n, round(100.0 * count(*) / sum(count(*)) over (), 2) as pct from jobs group by kind',
    plan: {
      measures: [
        { fn: 'count', rows: 'jobs' },
        { fn: 'round', of: { fn: 'share_of_total', of: { fn: 'count', rows: 'jobs' }, percent: true }, digits: 2 },
      ],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'a share within',
    sql: 'select p.region, j.kind, sum(j.price) as billed, sum(j.price) / sum(sum(j.price)) over (partition by p.region) as share from jobs j join sites p on p.site_id = j.site_id group by p.region, j.kind',
    plan: {
      metrics: ['revenue'],
      measures: [{ fn: 'share_of_total', of: 'revenue', within: ['sites.region'] }],
      dimensions: ['sites.region', 'jobs.kind'],
      filters: [{ field: 'sites.site_id', op: 'is_not_null', values: [] }],
    },
  },
  {
    about: 'a mean to two places, divided',
    sql: 'select kind, round(avg(hours) / 8, 2) as days from jobs group by kind',
    plan: {
      measures: [{ fn: 'round', of: { fn: 'quotient', of: { fn: 'avg', field: 'jobs.hours' }, by: 8 }, digits: 2 }],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'the best of each, with ties',
    sql: 'select kind, job_id, price from (select kind, job_id, price, rank() over (partition by kind order by price desc nulls last) as place from jobs) ranked where place = 1',
    plan: {
      dimensions: ['jobs.kind', 'jobs.job_id', 'jobs.price'],
      rows: 'jobs',
      order_by: [{ field: 'jobs.price', direction: 'desc' }],
      limit_per: { by: ['jobs.kind'], rows: 1, ties: true },
    },
  },
  {
    about: 'the best of each, where what has no value is the best',
    sql: 'select kind, job_id, price from (select kind, job_id, price, rank() over (partition by kind order by price desc) as place from jobs) ranked where place = 1',
    plan: {
      dimensions: ['jobs.kind', 'jobs.job_id', 'jobs.price'],
      rows: 'jobs',
      order_by: [{ field: 'jobs.price', direction: 'desc', nulls: 'first' }],
      limit_per: { by: ['jobs.kind'], rows: 1, ties: true },
    },
  },
  {
    about: 'the latest of each by WITH, joined afterwards',
    sql: 'with latest as (select j.*, row_number() over (partition by j.client_id order by j.opened desc, j.job_id) as n from jobs j) select c.client_name, l.opened, l.price from latest l join clients c on c.client_id = l.client_id where l.n = 1',
    plan: {
      dimensions: ['clients.client_name', 'jobs.opened', 'jobs.price'],
      rows: 'jobs',
      filters: [{ field: 'clients.client_id', op: 'is_not_null', values: [] }],
      order_by: [
        { field: 'jobs.opened', direction: 'desc', nulls: 'first' },
        { field: 'jobs.job_id', direction: 'asc' },
      ],
      limit_per: { by: ['jobs.client_id'], rows: 1 },
    },
  },
  {
    about: 'the best group of each, by steps',
    sql: 'with billed as (select p.region, j.kind, count(*) as n from jobs j join sites p on p.site_id = j.site_id group by p.region, j.kind), ranked as (select region, kind, n, rank() over (partition by region order by n desc) as place from billed) select region, kind, n from ranked where place = 1',
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      dimensions: ['sites.region', 'jobs.kind'],
      filters: [{ field: 'sites.site_id', op: 'is_not_null', values: [] }],
      order_by: [{ measure: { fn: 'count', rows: 'jobs' }, direction: 'desc' }],
      limit_per: { by: ['sites.region'], rows: 1, ties: true },
    },
  },
  {
    about: 'steps that only name their parts',
    sql: 'with dear as (select * from jobs where price > 100), named as (select d.kind, d.hours from dear d) select kind, sum(hours) from named group by kind having sum(hours) > 5',
    plan: {
      measures: [{ fn: 'sum', field: 'jobs.hours' }],
      dimensions: ['jobs.kind'],
      filters: [{ field: 'jobs.price', op: '>', values: [100] }],
      having: [{ measure: { fn: 'sum', field: 'jobs.hours' }, op: '>', values: [5] }],
    },
  },
  {
    about: 'groups with enough, by a step',
    sql: 'select kind, n from (select kind, count(*) as n from jobs group by kind) g where n >= 4',
    plan: {
      measures: [{ fn: 'count', rows: 'jobs' }],
      dimensions: ['jobs.kind'],
      having: [{ measure: { fn: 'count', rows: 'jobs' }, op: '>=', values: [4] }],
    },
  },
  {
    about: 'the most, where what has no value is the most',
    sql: 'select job_id, price from jobs order by price desc, job_id limit 1',
    plan: {
      dimensions: ['jobs.job_id', 'jobs.price'],
      rows: 'jobs',
      order_by: [
        { field: 'jobs.price', direction: 'desc', nulls: 'first' },
        { field: 'jobs.job_id', direction: 'asc' },
      ],
      limit: 1,
    },
  },
  {
    about: 'computed of each row',
    sql: 'select kind, round(avg(price / nullif(hours, 0)), 2), sum(0.5 * price - 10 * coalesce(hours, 0)), max(price * 2) from jobs group by kind',
    plan: {
      measures: [
        { fn: 'round', of: { fn: 'avg', value: { op: '/', of: ['jobs.price', 'jobs.hours'] } }, digits: 2 },
        {
          fn: 'sum',
          value: {
            op: '-',
            of: [
              { op: '*', of: [0.5, 'jobs.price'] },
              { op: '*', of: [10, { field: 'jobs.hours', or: 0 }] },
            ],
          },
        },
        { fn: 'max', value: { op: '*', of: ['jobs.price', 2] } },
      ],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'the time between two dates',
    sql: 'select kind, round(avg(extract(epoch from (closed::timestamp - opened::timestamp)) / 86400), 1) from jobs group by kind',
    plan: {
      measures: [
        { fn: 'round', of: { fn: 'avg', value: { from: 'jobs.opened', to: 'jobs.closed', in: 'days' } }, digits: 1 },
      ],
      dimensions: ['jobs.kind'],
    },
  },
  {
    about: 'nothing is nothing',
    sql: 'select city, coalesce(sum(j.price), 0) as billed from jobs j join clients c on c.client_id = j.client_id group by city',
    plan: {
      measures: [{ fn: 'or_zero', of: 'revenue' }],
      dimensions: ['clients.city'],
      filters: [{ field: 'clients.client_id', op: 'is_not_null', values: [] }],
    },
  },
  {
    about: 'values as one text',
    sql: "select c.city, string_agg(distinct j.kind, ' / ' order by j.kind) as kinds from clients c left join jobs j on j.client_id = c.client_id where c.city is not null group by c.client_id, c.city",
    plan: {
      measures: [{ fn: 'list', field: 'jobs.kind', distinct: true, separator: ' / ' }],
      dimensions: ['clients.city'],
      filters: [{ field: 'clients.city', op: 'is_not_null', values: [] }],
      per: ['clients'],
      every: 'clients',
    },
  },
  {
    about: 'some values as one text',
    sql: "select kind, string_agg(method, ', ' order by method) filter (where amount > 100) as large, count(method) from payments p join jobs j on j.job_id = p.job_id group by kind",
    plan: {
      measures: [
        {
          ...{ fn: 'list', field: 'payments.method', separator: ', ' },
          where: [{ field: 'payments.amount', op: '>', values: [100] }],
        },
        { fn: 'count', field: 'payments.method' },
      ],
      dimensions: ['jobs.kind'],
      filters: [{ field: 'jobs.job_id', op: 'is_not_null', values: [] }],
    },
  },
  {
    about: 'the number of items in a text',
    sql: "select city, max(cardinality(string_to_array(client_name, ' '))) as words from clients group by city",
    plan: {
      measures: [{ fn: 'max', value: { items: 'clients.client_name', separator: ' ' } }],
      dimensions: ['clients.city'],
    },
  },
];

export const NEAR_MISSES: readonly NearMiss[] = [
  {
    about: 'a condition on what may be missing, after the join',
    sql: "select c.client_name, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id where j.kind = 'clock' group by c.client_id, c.client_name",
    looksLike:
      "select c.client_name, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id and j.kind = 'clock' group by c.client_id, c.client_name",
  },
  {
    about: 'rows counted that are not there',
    sql: 'select c.client_name, count(*) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
    looksLike:
      'select c.client_name, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
  },
  {
    about: 'a value given to rows that are not there',
    sql: 'select c.client_name, count(coalesce(j.price, 0)) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
    looksLike:
      'select c.client_name, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
  },
  {
    about: 'a sum that is not 0 where there is nothing',
    sql: 'select c.client_name, sum(j.price) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
    looksLike:
      'select c.client_name, coalesce(sum(j.price), 0) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id, c.client_name',
  },
  {
    about: 'groups multiplied by their rows',
    sql: 'select c.city, count(c.client_id) as clients, count(j.job_id) as jobs from clients c left join jobs j on j.client_id = c.client_id group by c.city',
    looksLike:
      'select c.city, count(distinct c.client_id) as clients, count(j.job_id) as jobs from clients c left join jobs j on j.client_id = c.client_id group by c.city',
  },
  {
    about: 'two many sides',
    sql: 'select j.job_id, count(p.payment_id) as payments, count(v.part_id) as parts from jobs j left join payments p on p.job_id = j.job_id left join job_parts v on v.job_id = j.job_id group by j.job_id',
    looksLike:
      'select j.job_id, count(distinct p.payment_id) as payments, count(distinct v.part_id) as parts from jobs j left join payments p on p.job_id = j.job_id left join job_parts v on v.job_id = j.job_id group by j.job_id',
  },
  {
    about: 'NOT IN with an unknown among them',
    sql: 'select client_name from clients where client_id not in (select client_id from jobs)',
    looksLike:
      'select client_name from clients c where not exists (select 1 from jobs j where j.client_id = c.client_id)',
  },
  {
    about: 'NOT IN as a denied IN',
    sql: 'select client_name from clients where not (client_id in (select client_id from jobs))',
    looksLike:
      'select client_name from clients c where not exists (select 1 from jobs j where j.client_id = c.client_id)',
  },
  {
    about: 'an anti-join on what may have no value',
    sql: 'select j.job_id from jobs j left join payments p on p.job_id = j.job_id where p.method is null',
    looksLike: 'select j.job_id from jobs j where not exists (select 1 from payments p where p.job_id = j.job_id)',
  },
  {
    about: 'an IN of a mean',
    sql: 'select count(*) from jobs where price in (select max(price) from jobs)',
    looksLike: 'select count(*) from jobs where price in (select price from jobs)',
  },
  {
    about: 'whole numbers divided',
    sql: 'select kind, sum(case when price > 100 then 1 else 0 end) / count(*) * 100 as dear from jobs group by kind',
    looksLike:
      'select kind, 100.0 * sum(case when price > 100 then 1 else 0 end) / count(*) as dear from jobs group by kind',
  },
  {
    about: 'what has no value is 0 in a mean',
    sql: 'select kind, avg(coalesce(rating, 0)) from jobs group by kind',
    looksLike: 'select kind, avg(rating) from jobs group by kind',
  },
  {
    about: 'a mean of what is 0 elsewhere',
    sql: 'select kind, avg(case when price > 100 then price else 0 end) from jobs group by kind',
    looksLike: 'select kind, avg(case when price > 100 then price end) from jobs group by kind',
  },
  {
    about: 'one of equal rows by chance',
    sql: 'select kind, rating from (select kind, rating, row_number() over (partition by kind order by rating desc) as n from jobs) r where n = 1',
    looksLike:
      'select kind, rating from (select kind, rating, rank() over (partition by kind order by rating desc) as n from jobs) r where n = 1',
  },
  {
    about: 'a condition after windows',
    sql: 'select kind, job_id from (select kind, job_id, price, rank() over (partition by kind order by price) as n from jobs) r where n = 1 and price > 100',
    looksLike:
      'select kind, job_id from (select kind, job_id, rank() over (partition by kind order by price) as n from jobs where price > 100) r where n = 1',
  },
  {
    about: 'a join after windows that takes rows away',
    sql: 'select r.kind, r.job_id from (select kind, job_id, client_id, rank() over (partition by kind order by opened) as n from jobs) r join clients c on c.client_id = r.client_id where r.n = 1',
    looksLike:
      'select r.kind, r.job_id from (select j.kind, j.job_id, rank() over (partition by j.kind order by j.opened) as n from jobs j join clients c on c.client_id = j.client_id) r where r.n = 1',
  },
  {
    about: 'the second of each',
    sql: 'select kind, job_id from (select kind, job_id, rank() over (partition by kind order by opened) as n from jobs) r where n = 2',
    looksLike:
      'select kind, job_id from (select kind, job_id, rank() over (partition by kind order by opened) as n from jobs) r where n <= 2',
  },
  {
    about: 'a mean of means',
    sql: 'select avg(mean) from (select kind, avg(price) as mean from jobs group by kind) k',
    looksLike: 'select avg(price) from jobs',
  },
  {
    about: 'groups whose rows a condition cut first',
    sql: 'select kind, n from (select kind, count(*) as n from jobs group by kind limit 2) g where n >= 4',
    looksLike: 'select kind, n from (select kind, count(*) as n from jobs group by kind) g where n >= 4',
  },
  {
    about: 'a month of every year',
    sql: 'select extract(month from opened) as month, count(*) from jobs group by extract(month from opened)',
    looksLike: "select date_trunc('month', opened) as month, count(*) from jobs group by date_trunc('month', opened)",
  },
  {
    about: 'an end that is the first moment of its day',
    sql: "select count(*) from visits where started between '2024-01-08' and '2024-03-09'",
    looksLike: "select count(*) from visits where started::date between '2024-01-08' and '2024-03-09'",
  },
  {
    about: 'equal but for the case of letters',
    sql: "select count(*) from clients where client_name ilike 'moss'",
    looksLike: "select count(*) from clients where client_name ilike '%moss%'",
  },
  {
    about: 'small letters alone',
    sql: "select count(*) from clients where client_name like '%moss%'",
    looksLike: "select count(*) from clients where client_name ilike '%moss%'",
  },
  {
    about: 'rows that a union takes together',
    sql: 'select count(*) from (select client_id from jobs union select client_id from clients) u',
    looksLike: 'select count(*) from (select client_id from jobs union all select client_id from clients) u',
  },
  {
    about: 'whole numbers divided in each row',
    sql: 'select kind, sum(rating / 2) from jobs group by kind',
    looksLike: 'select kind, sum(rating / 2.0) from jobs group by kind',
  },
  {
    about: 'rounded before it is added up',
    sql: 'select kind, sum(round(price, 0)) from jobs group by kind',
    looksLike: 'select kind, round(sum(price), 0) from jobs group by kind',
  },
  {
    about: 'values as one text in the order of rows',
    sql: "select kind, string_agg(method, ', ' order by amount) from payments p join jobs j on j.job_id = p.job_id group by kind",
    looksLike:
      "select kind, string_agg(method, ', ' order by method) from payments p join jobs j on j.job_id = p.job_id group by kind",
  },
  {
    about: 'values as one text in no order',
    sql: "select kind, string_agg(distinct method, ', ') from payments p join jobs j on j.job_id = p.job_id group by kind",
    looksLike:
      "select kind, string_agg(distinct method, ', ' order by method) from payments p join jobs j on j.job_id = p.job_id group by kind",
  },
  {
    about: 'the number of items, where an empty text has none to count',
    sql: "select city, max(array_length(string_to_array(client_name, ' '), 1)) from clients group by city",
    looksLike: "select city, max(cardinality(string_to_array(client_name, ' '))) from clients group by city",
  },
];
