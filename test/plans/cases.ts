// Plans beside statements written by hand. `ordered`: the rows come in this order. `sql` may differ by engine in dates.
import type { Engine, Plan } from './stage.ts';

export interface Dates {
  month(of: string): string;
  days(from: string, to: string): string;
  monthNumber(of: string): string;
}
export const DATES: Record<string, Dates> = {
  postgres: {
    month: (of) => `cast(date_trunc('month', ${of}) as date)`,
    days: (from, to) => `(cast(${to} as date) - cast(${from} as date))`,
    monthNumber: (of) => `cast(extract(month from ${of}) as integer)`,
  },
  duckdb: {
    month: (of) => `cast(date_trunc('month', ${of}) as date)`,
    days: (from, to) => `date_diff('day', ${from}, ${to})`,
    monthNumber: (of) => `month(${of})`,
  },
  mysql: {
    month: (of) => `cast(date_format(${of}, '%Y-%m-01') as date)`,
    days: (from, to) => `datediff(${to}, ${from})`,
    monthNumber: (of) => `month(${of})`,
  },
};
export interface Case {
  name: string;
  plan: Plan;
  sql: string | ((dates: Dates) => string);
  ordered?: true;
  without?: Engine;
}
const count = (rows: string, where?: Plan['filters']) => ({ fn: 'count' as const, rows, ...(where && { where }) });
const sum = (field: string, where?: Plan['filters']) => ({ fn: 'sum' as const, field, ...(where && { where }) });
const avg = (field: string) => ({ fn: 'avg' as const, field });
const is = (field: string, ...values: (string | number)[]) => ({ field, op: 'in' as const, values });
const over = (field: string, value: number) => ({ field, op: '>' as const, values: [value] });

const MONTHS = ['2023-12', ...Array.from({ length: 8 }, (_one, index) => `2024-0${index + 1}`)]
  .map((month) => `select cast('${month}-01' as date) as first_day`)
  .join(' union all ');

export const CASES: Case[] = [
  // Measures
  { name: 'rows of a dataset', plan: { measures: [count('jobs')] }, sql: 'select count(*) from jobs' },
  {
    name: 'every aggregate of a field',
    plan: {
      measures: [
        { fn: 'count', field: 'jobs.price' },
        { fn: 'count_distinct', field: 'jobs.kind' },
        sum('jobs.price'),
        avg('jobs.price'),
        { fn: 'min', field: 'jobs.opened' },
        { fn: 'max', field: 'jobs.hours' },
      ],
    },
    sql: 'select count(price), count(distinct kind), sum(price), avg(price), min(opened), max(hours) from jobs',
  },
  {
    name: 'a median',
    plan: { measures: [{ fn: 'median', field: 'jobs.hours' }], dimensions: ['jobs.kind'] },
    sql: 'select kind, percentile_cont(0.5) within group (order by hours) from jobs group by kind',
    without: 'mysql',
  },
  {
    name: 'a measure with conditions of its own keeps the groups without such rows',
    plan: { measures: [count('jobs', [over('jobs.price', 300)]), sum('jobs.hours')], dimensions: ['jobs.kind'] },
    sql: 'select kind, count(case when price > 300 then 1 end), sum(hours) from jobs group by kind',
  },
  {
    name: 'a metric with conditions of its own keeps the groups without such rows',
    plan: {
      measures: [{ fn: 'metric', metric: 'revenue', where: [is('jobs.kind', 'radio')], as: 'radios' }],
      dimensions: ['place.site_name'],
    },
    sql: "select s.site_name, sum(case when j.kind = 'radio' then j.price end) from jobs j left join sites s on s.site_id = j.site_id group by s.site_name",
  },
  {
    name: 'a measure whose condition looks at related rows',
    plan: {
      measures: [count('jobs', [{ exists: 'payments', where: [is('payments.method', 'cash')] }]), count('jobs')],
      dimensions: ['jobs.kind'],
    },
    sql: "select kind, sum(case when exists (select 1 from payments p where p.job_id = j.job_id and p.method = 'cash') then 1 else 0 end), count(*) from jobs j group by kind",
  },
  {
    name: 'a ratio of two homes',
    plan: {
      measures: [{ fn: 'ratio', of: ['paid', 'revenue'], percent: true, as: 'share_paid' }],
      dimensions: ['jobs.kind'],
    },
    sql: 'select kind, 100.0 * (select sum(amount) from payments p join jobs k on k.job_id = p.job_id where k.kind = j.kind) / sum(price) from jobs j group by kind',
  },
  {
    name: 'a difference and a total',
    plan: {
      measures: [
        { fn: 'difference', of: ['revenue', 'paid'] },
        { fn: 'total', of: [count('jobs'), count('visits')] },
      ],
    },
    sql: 'select (select sum(price) from jobs) - (select sum(amount) from payments), (select count(*) from jobs) + (select count(*) from visits)',
  },
  {
    name: 'the difference of two dates in days',
    plan: {
      measures: [
        {
          fn: 'difference',
          of: [
            { fn: 'max', field: 'jobs.opened' },
            { fn: 'min', field: 'jobs.opened' },
          ],
        },
      ],
      dimensions: ['jobs.kind'],
    },
    sql: (d) => `select kind, ${d.days('min(opened)', 'max(opened)')} from jobs group by kind`,
  },
  {
    name: 'a product with a number',
    plan: { measures: [{ fn: 'product', of: 'revenue', by: 1.2 }], dimensions: ['jobs.kind'] },
    sql: 'select kind, sum(price) * 1.2 from jobs group by kind',
  },
  {
    name: 'nested arithmetic',
    plan: {
      measures: [
        {
          fn: 'ratio',
          of: [
            { fn: 'difference', of: [sum('jobs.price'), { fn: 'product', of: sum('jobs.hours'), by: 10 }] },
            count('jobs'),
          ],
        },
      ],
    },
    sql: 'select (sum(price) - sum(hours) * 10) / count(*) from jobs',
  },
  {
    name: 'a measure whose name is longer than engines take',
    plan: {
      measures: [
        {
          fn: 'ratio',
          of: [
            { fn: 'difference', of: [sum('jobs.price'), { fn: 'product', of: sum('jobs.hours'), by: 10 }] },
            { fn: 'total', of: [sum('jobs.price'), { fn: 'product', of: sum('jobs.hours'), by: 10 }] },
          ],
        },
        {
          fn: 'ratio',
          of: [
            { fn: 'difference', of: [sum('jobs.price'), { fn: 'product', of: sum('jobs.hours'), by: 10 }] },
            { fn: 'total', of: [sum('jobs.price'), { fn: 'product', of: sum('jobs.hours'), by: 20 }] },
          ],
        },
      ],
    },
    sql: 'select (sum(price) - sum(hours) * 10) / (sum(price) + sum(hours) * 10), (sum(price) - sum(hours) * 10) / (sum(price) + sum(hours) * 20) from jobs',
  },
  {
    name: 'share of total',
    plan: { measures: [{ fn: 'share_of_total', of: 'revenue', percent: true }], dimensions: ['jobs.kind'] },
    sql: 'select kind, 100.0 * sum(price) / (select sum(price) from jobs) from jobs group by kind',
  },
  {
    name: 'share within another dimension',
    plan: {
      measures: [{ fn: 'share_of_total', of: 'job_count', within: ['place.region'] }],
      dimensions: ['place.region', 'jobs.kind'],
    },
    sql: 'select s.region, j.kind, 1.0 * count(*) / sum(count(*)) over (partition by s.region) from jobs j left join sites s on s.site_id = j.site_id group by s.region, j.kind',
  },
  {
    name: 'running total by month within a group',
    plan: { measures: [{ fn: 'running_total', of: 'revenue' }], dimensions: ['jobs.kind', 'jobs.opened.month'] },
    sql: (d) =>
      `select kind, ${d.month('opened')}, sum(sum(price)) over (partition by kind order by ${d.month('opened')}) from jobs group by kind, ${d.month('opened')}`,
  },
  {
    name: 'change against the month before, where there is one',
    plan: {
      measures: ['revenue', { fn: 'change', of: 'revenue' }],
      dimensions: ['jobs.opened.month'],
      time: { from: '2024-01-01', to: '2024-04-01' },
    },
    sql: (d) =>
      `select ${d.month('opened')}, sum(price), sum(price) - lag(sum(price)) over (order by ${d.month('opened')}) from jobs where opened < '2024-04-01' group by ${d.month('opened')}`,
  },
  {
    name: 'change against the month before is unknown behind a gap',
    plan: {
      measures: [{ fn: 'change', of: 'job_count', percent: true }],
      dimensions: ['jobs.opened.month'],
      filters: [{ field: 'jobs.opened', op: '>=', values: ['2024-04-01'] }],
    },
    sql: (d) =>
      `select ${d.month('opened')}, null from jobs where opened >= '2024-04-01' group by ${d.month('opened')}`,
  },
  {
    name: 'change from one named period to another',
    plan: {
      measures: [
        { fn: 'change', of: 'revenue', percent: true, from: { during: '2024-Q1' }, to: { during: '2024-Q2' } },
      ],
    },
    sql: "select 100.0 * (sum(case when opened >= '2024-04-01' then price end) - sum(case when opened < '2024-04-01' then price end)) / sum(case when opened < '2024-04-01' then price end) from jobs where opened >= '2024-01-01' and opened < '2024-07-01'",
  },
  {
    name: 'ranks, with places left out after equal ones and without',
    plan: {
      measures: [
        'job_count',
        { fn: 'rank', of: 'job_count', as: 'place' },
        { fn: 'rank', of: 'job_count', dense: true, direction: 'asc', as: 'from_below' },
      ],
      dimensions: ['clients.city'],
    },
    sql: 'select c.city, count(*), rank() over (order by count(*) desc), dense_rank() over (order by count(*)) from jobs j left join clients c on c.client_id = j.client_id group by c.city',
  },
  {
    name: 'rank within a group',
    plan: {
      measures: [{ fn: 'rank', of: 'minutes_worked', within: ['bench.region'] }],
      dimensions: ['bench.region', 'mechanics.mechanic_name'],
    },
    sql: 'select s.region, m.mechanic_name, rank() over (partition by s.region order by sum(v.minutes) desc) from visits v join mechanics m on m.mechanic_id = v.mechanic_id left join sites s on s.site_id = m.site_id group by s.region, m.mechanic_name',
  },
  {
    name: 'what all groups come to, beside each',
    plan: {
      measures: [
        'revenue',
        { fn: 'groups_avg', of: 'revenue', as: 'usual' },
        { fn: 'groups_max', of: 'revenue', as: 'most' },
      ],
      dimensions: ['jobs.kind'],
    },
    sql: 'select kind, sum(price), avg(sum(price)) over (), max(sum(price)) over () from jobs group by kind',
  },
  {
    name: 'the mean over things',
    plan: { measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', per: ['clients'] }] },
    sql: 'select avg(t) from (select sum(price) as t from jobs where client_id is not null group by client_id) x',
  },
  {
    name: 'the mean over things, with those that have none',
    plan: { measures: [{ fn: 'over_groups', take: 'avg', of: 'job_count', per: ['clients'], every: 'clients' }] },
    sql: 'select avg(1.0 * n) from (select c.client_id, count(j.job_id) as n from clients c left join jobs j on j.client_id = c.client_id group by c.client_id) x',
  },
  {
    name: 'the highest of the months, in each group',
    plan: {
      measures: [{ fn: 'over_groups', take: 'max', of: 'revenue', by: ['jobs.opened.month'] }, 'revenue'],
      dimensions: ['jobs.kind'],
    },
    sql: (d) =>
      `select kind, max(t), sum(t) from (select kind, sum(price) as t from jobs group by kind, ${d.month('opened')}) x group by kind`,
  },
  {
    name: 'the number of groups that fulfil a condition',
    plan: {
      measures: [{ fn: 'count_groups', per: ['clients'], having: [{ measure: 'job_count', op: '>', values: [1] }] }],
    },
    sql: 'select count(*) from (select client_id from jobs where client_id is not null group by client_id having count(*) > 1) x',
  },
  {
    name: 'the number of groups by a value and by a thing',
    plan: { measures: [{ fn: 'count_groups', by: ['jobs.kind', 'jobs.opened.month'] }], dimensions: ['place.region'] },
    sql: (d) =>
      `select region, count(*) from (select s.region, j.kind, ${d.month('j.opened')} from jobs j left join sites s on s.site_id = j.site_id group by s.region, j.kind, ${d.month('j.opened')}) x group by region`,
  },
  {
    name: 'a ratio of numbers of groups',
    plan: {
      measures: [
        {
          fn: 'ratio',
          of: [
            { fn: 'count_groups', per: ['jobs'], having: [{ measure: count('payments'), op: '>', values: [1] }] },
            { fn: 'count_groups', per: ['jobs'], having: [{ measure: count('payments'), op: '=', values: [1] }] },
          ],
        },
      ],
    },
    sql: 'select 1.0 * sum(case when n > 1 then 1 else 0 end) / sum(case when n = 1 then 1 else 0 end) from (select job_id, count(*) as n from payments group by job_id) x',
  },
  // Filters
  {
    name: 'and, or, not',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [
        { any: [is('jobs.kind', 'radio'), { all: [is('jobs.kind', 'bicycle'), over('jobs.hours', 6)] }] },
        { not: over('jobs.price', 400) },
      ],
    },
    sql: "select job_id from jobs where (kind = 'radio' or (kind = 'bicycle' and hours > 6)) and not (price > 400)",
  },
  {
    name: 'a field with another field',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [{ field: 'jobs.closed', op: '>', other: { field: 'jobs.promised' } }],
    },
    sql: 'select job_id from jobs where closed > promised',
  },
  {
    name: 'a field within days of another',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [{ field: 'jobs.closed', op: '<=', other: { field: 'jobs.opened', plus: { amount: 10, unit: 'day' } } }],
    },
    sql: (d) => `select job_id from jobs where ${d.days('opened', 'closed')} <= 10`,
  },
  {
    name: 'a field of another dataset, a quarter earlier',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [
        { field: 'clients.joined', op: '>=', other: { field: 'jobs.opened', plus: { amount: -1, unit: 'quarter' } } },
      ],
    },
    sql: (d) =>
      `select j.job_id from jobs j join clients c on c.client_id = j.client_id where ${d.days('c.joined', 'j.opened')} <= 91 and j.job_id <> 0`,
  },
  {
    name: 'the same month as another date',
    plan: {
      measures: [count('jobs')],
      filters: [{ field: 'jobs.closed.month', other: { field: 'jobs.opened.month' } }],
    },
    sql: (d) => `select count(*) from jobs where ${d.month('closed')} = ${d.month('opened')}`,
  },
  {
    name: 'above the average of all',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [{ field: 'jobs.price', op: '>', than: { fn: 'avg', field: 'jobs.price' } }],
    },
    sql: 'select job_id from jobs where price > (select avg(price) from jobs)',
  },
  {
    name: 'above the average of its category',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [{ field: 'jobs.price', op: '>', than: { fn: 'avg', field: 'jobs.price', per: ['jobs.kind'] } }],
    },
    sql: 'select job_id from jobs j where price > (select avg(price) from jobs k where k.kind = j.kind)',
  },
  {
    name: 'the last of a part of the rows',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [
        {
          field: 'jobs.opened',
          op: '=',
          than: {
            fn: 'max',
            field: 'jobs.opened',
            where: [is('jobs.kind', 'clock'), { field: 'jobs.price', op: '<', values: [90] }],
          },
        },
      ],
    },
    sql: "select job_id from jobs where opened = (select max(opened) from jobs where kind = 'clock' and price < 90)",
  },
  {
    name: 'rows that have related ones',
    plan: {
      rows: 'clients',
      dimensions: ['clients.client_id'],
      filters: [{ exists: 'jobs', where: [is('jobs.kind', 'clock')] }],
    },
    sql: "select client_id from clients c where exists (select 1 from jobs j where j.client_id = c.client_id and j.kind = 'clock')",
  },
  {
    name: 'rows that have none, two relationships away',
    plan: { rows: 'clients', dimensions: ['clients.client_id'], filters: [{ not_exists: 'payments' }] },
    sql: 'select client_id from clients c where not exists (select 1 from jobs j join payments p on p.job_id = j.job_id where j.client_id = c.client_id)',
  },
  {
    name: 'at least so many related rows, and at most',
    plan: { rows: 'jobs', dimensions: ['jobs.job_id'], filters: [{ exists: 'job_parts', at_least: 2, at_most: 2 }] },
    sql: 'select job_id from job_parts group by job_id having count(*) = 2',
  },
  {
    name: 'exactly so many of a kind, none among them',
    plan: { measures: [count('jobs')], filters: [{ exists: 'visits', exactly: 0 }] },
    sql: 'select count(*) from jobs j where (select count(*) from visits v where v.job_id = j.job_id) = 0',
  },
  {
    name: 'nested: clients whose jobs had a glass part and a mechanic who can weld or do radios',
    plan: {
      rows: 'clients',
      dimensions: ['clients.client_id'],
      filters: [
        {
          exists: 'jobs',
          where: [
            { exists: 'job_parts', where: [is('parts.category', 'glass')] },
            {
              exists: 'visits',
              where: [{ exists: 'mechanic_skills', where: [is('skills.skill_name', 'welding', 'radio')] }],
            },
          ],
        },
      ],
    },
    sql: "select client_id from clients c where exists (select 1 from jobs j where j.client_id = c.client_id and exists (select 1 from job_parts jp join parts p on p.part_id = jp.part_id where jp.job_id = j.job_id and p.category = 'glass') and exists (select 1 from visits v join mechanic_skills ms on ms.mechanic_id = v.mechanic_id join skills s on s.skill_id = ms.skill_id where v.job_id = j.job_id and s.skill_name in ('welding', 'radio')))",
  },
  {
    name: 'both of two values on the many side',
    plan: {
      measures: [count('mechanics')],
      filters: [
        { exists: 'mechanic_skills', where: [is('skills.skill_name', 'bicycle')] },
        { exists: 'mechanic_skills', where: [is('skills.skill_name', 'clock')] },
      ],
    },
    sql: 'select count(*) from (select mechanic_id from mechanic_skills where skill_id in (1, 2) group by mechanic_id having count(*) = 2) x',
  },
  {
    name: 'along a relationship to itself',
    plan: {
      rows: 'clients',
      dimensions: ['clients.client_id', 'brought_by.client_id'],
      filters: [{ exists: 'clients', via: 'brought_by' }],
    },
    sql: 'select client_id, brought_by from clients c where exists (select 1 from clients d where d.brought_by = c.client_id)',
  },
  {
    name: 'a period by name, of one of several dates',
    plan: { measures: [count('jobs')], filters: [{ field: 'jobs.closed', during: '2024-02' }] },
    sql: "select count(*) from jobs where closed >= '2024-02-01' and closed < '2024-03-01'",
  },
  {
    name: 'a part of a date',
    plan: { measures: [count('visits')], filters: [is('visits.started.weekday', 'Saturday', 'Sunday')] },
    sql: "select count(*) from visits where cast(started as date) in ('2024-01-06', '2024-02-17', '2024-03-02', '2024-03-09', '2024-03-16', '2024-04-06', '2024-04-21')",
  },
  {
    name: 'without a value, and an end of a text',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.job_id'],
      filters: [
        { field: 'jobs.closed', op: 'is_null' },
        { field: 'jobs.kind', op: 'ends_with', values: ['CLE'] },
      ],
    },
    sql: "select job_id from jobs where closed is null and kind like '%cle'",
  },
  // Dimensions
  {
    name: 'by part of a date',
    plan: { measures: [count('jobs')], dimensions: ['jobs.opened.month_of_year'] },
    sql: (d) => `select ${d.monthNumber('opened')}, count(*) from jobs group by ${d.monthNumber('opened')}`,
  },
  {
    name: 'by the number of a year',
    plan: { measures: [count('jobs')], dimensions: ['jobs.opened.year_number'] },
    sql: 'select extract(year from opened), count(*) from jobs group by extract(year from opened)',
  },
  {
    name: 'by hour and day of the month',
    plan: {
      measures: [count('visits')],
      dimensions: ['visits.started.hour', 'visits.started.day_of_month'],
      filters: [{ field: 'visits.minutes', op: '>=', values: [300] }],
    },
    sql: 'select extract(hour from started), extract(day from started), count(*) from visits where minutes >= 300 group by extract(hour from started), extract(day from started)',
  },
  {
    name: 'by bins of a number',
    plan: { measures: [count('jobs'), sum('jobs.price')], dimensions: [{ field: 'jobs.hours', bin: 5 }] },
    sql: 'select floor(hours / 5.0) * 5, count(*), sum(price) from jobs group by floor(hours / 5.0) * 5',
  },
  {
    name: 'by a condition, yes or no',
    plan: {
      measures: [count('jobs'), avg('jobs.rating')],
      dimensions: [{ when: [{ field: 'jobs.closed', op: '>', other: { field: 'jobs.promised' } }], as: 'late' }],
    },
    sql: "select case when closed > promised then 'yes' else 'no' end, count(*), avg(rating) from jobs group by case when closed > promised then 'yes' else 'no' end",
  },
  {
    name: 'on the many side of a bridge, each row once under each value',
    plan: { measures: ['revenue', count('jobs')], dimensions: [{ field: 'parts.category', through: 'job_parts' }] },
    sql: 'select c.category, sum(j.price), count(*) from jobs j left join (select distinct jp.job_id, p.category from job_parts jp join parts p on p.part_id = jp.part_id) c on c.job_id = j.job_id group by c.category',
  },
  {
    name: 'on the many side, only some of the rows between',
    plan: {
      measures: [avg('jobs.price')],
      dimensions: [{ field: 'parts.category', through: 'job_parts', where: [over('job_parts.quantity', 1)] }],
    },
    sql: 'select c.category, avg(j.price) from jobs j join (select distinct jp.job_id, p.category from job_parts jp join parts p on p.part_id = jp.part_id where jp.quantity > 1) c on c.job_id = j.job_id group by c.category',
  },
  {
    name: 'on the many side of rows two relationships away',
    plan: {
      measures: [{ fn: 'avg', field: 'mechanics.hourly_rate' }],
      dimensions: [{ field: 'clients.city', through: 'visits' }],
    },
    sql: 'select c.city, avg(m.hourly_rate) from mechanics m left join (select distinct v.mechanic_id, c.city from visits v join jobs j on j.job_id = v.job_id left join clients c on c.client_id = j.client_id) c on c.mechanic_id = m.mechanic_id group by c.city',
  },
  {
    name: 'the period of a date on the many side',
    plan: { measures: [count('jobs')], dimensions: [{ field: 'payments.paid_on.month', through: 'payments' }] },
    sql: (d) =>
      `select m, count(*) from jobs j left join (select distinct job_id, ${d.month('paid_on')} as m from payments) p on p.job_id = j.job_id group by m`,
  },
  {
    name: 'along a hierarchy',
    plan: { measures: [count('jobs')], dimensions: ['place.parent.site_name'] },
    sql: 'select u.site_name, count(*) from jobs j left join sites s on s.site_id = j.site_id left join sites u on u.site_id = s.parent_id group by u.site_name',
  },
  {
    name: 'every site under its role, also those without a job, with the parent of each',
    plan: {
      metrics: ['job_count', 'revenue'],
      dimensions: ['place.site_name', 'place.parent.site_name'],
      every: 'place',
    },
    sql: 'select s.site_name, u.site_name, count(j.job_id), coalesce(sum(j.price), 0) from sites s left join sites u on u.site_id = s.parent_id left join jobs j on j.site_id = s.site_id group by s.site_name, u.site_name',
  },
  // Groups
  {
    name: 'having on a measure that is not shown',
    plan: {
      metrics: ['revenue'],
      dimensions: ['jobs.kind'],
      having: [{ measure: { fn: 'max', field: 'jobs.hours' }, op: '>', values: [8] }],
    },
    sql: 'select kind, sum(price) from jobs group by kind having max(hours) > 8',
  },
  {
    name: 'having against what all groups come to',
    plan: {
      metrics: ['revenue'],
      dimensions: ['clients.client_id'],
      having: [{ measure: 'revenue', op: '>', than: { fn: 'groups_avg', of: 'revenue' } }],
    },
    sql: 'select client_id, t from (select client_id, sum(price) as t, avg(sum(price)) over () as a from jobs group by client_id) x where t > a',
  },
  {
    name: 'having one measure against another',
    plan: { dimensions: ['jobs.kind'], having: [{ measure: 'paid', op: '<', than: 'revenue' }] },
    sql: 'select kind from jobs j group by kind having coalesce((select sum(amount) from payments p join jobs k on k.job_id = p.job_id where k.kind = j.kind), 0) < sum(price)',
  },
  {
    name: 'things of one name stay apart',
    plan: { metrics: ['job_count'], dimensions: ['clients.client_name'], per: ['clients'] },
    sql: 'select c.client_name, count(*) from jobs j left join clients c on c.client_id = j.client_id group by c.client_id, c.client_name',
  },
  {
    name: 'clients with their jobs of a period, none among them',
    plan: {
      measures: [count('jobs'), sum('jobs.price')],
      dimensions: ['clients.client_id'],
      every: 'clients',
      time: { during: '2024-Q1' },
    },
    sql: "select c.client_id, count(j.job_id), coalesce(sum(j.price), 0) from clients c left join jobs j on j.client_id = c.client_id and j.opened >= '2024-01-01' and j.opened < '2024-04-01' group by c.client_id",
  },
  {
    name: 'ordered by a measure that is not shown, with rows left out before the first',
    plan: {
      dimensions: ['jobs.kind'],
      metrics: ['job_count'],
      order_by: [{ measure: sum('jobs.hours'), direction: 'desc' }],
      limit: 2,
      offset: 1,
    },
    sql: 'select kind, count(*) from jobs group by kind order by sum(hours) desc limit 2 offset 1',
    ordered: true,
  },
  {
    name: 'ordered by an alias, then by a field',
    plan: {
      measures: [{ ...count('visits'), as: 'n' }],
      dimensions: ['mechanics.mechanic_name'],
      order_by: [
        { field: 'n', direction: 'desc' },
        { field: 'mechanic_name', direction: 'asc' },
      ],
    },
    sql: 'select m.mechanic_name, count(*) as n from visits v join mechanics m on m.mechanic_id = v.mechanic_id group by m.mechanic_name order by n desc, m.mechanic_name',
    ordered: true,
  },
  {
    name: 'the top two of each group',
    plan: {
      metrics: ['revenue'],
      dimensions: ['jobs.kind', 'clients.client_id'],
      filters: [{ field: 'clients.client_id', op: 'is_not_null' }, over('jobs.price', 0)],
      order_by: [{ field: 'revenue', direction: 'desc' }],
      limit_per: { by: ['jobs.kind'], rows: 2 },
    },
    sql: 'select kind, client_id, t from (select kind, client_id, sum(price) as t, row_number() over (partition by kind order by sum(price) desc, client_id) as place from jobs where client_id is not null and price > 0 group by kind, client_id) x where place <= 2',
  },
  {
    name: 'the latest row of each group, which is not shown',
    plan: {
      rows: 'payments',
      dimensions: ['payments.payment_id', 'payments.amount'],
      order_by: [{ field: 'payments.paid_on', direction: 'desc' }],
      limit_per: { by: ['jobs.job_id'], rows: 1 },
    },
    sql: 'select payment_id, amount from payments p where paid_on = (select max(paid_on) from payments q where q.job_id = p.job_id)',
  },
  {
    name: 'the first row of each group',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.kind', 'jobs.job_id'],
      order_by: [{ field: 'jobs.opened', direction: 'asc' }],
      limit_per: { by: ['jobs.kind'], rows: 1 },
    },
    sql: 'select kind, job_id from jobs j where opened = (select min(opened) from jobs k where k.kind = j.kind)',
  },
  {
    name: 'distinct combinations',
    plan: { dimensions: ['jobs.kind', 'place.region'], distinct: true },
    sql: 'select distinct j.kind, s.region from jobs j left join sites s on s.site_id = j.site_id',
  },
  {
    name: 'distinct values of those with related rows',
    plan: {
      dimensions: ['parts.category'],
      distinct: true,
      filters: [{ exists: 'job_parts', where: [is('jobs.kind', 'radio')] }],
    },
    sql: "select distinct p.category from job_parts jp join parts p on p.part_id = jp.part_id join jobs j on j.job_id = jp.job_id where j.kind = 'radio'",
  },
  {
    name: 'a listing with a condition and a bin',
    plan: {
      rows: 'jobs',
      dimensions: [
        'jobs.job_id',
        { field: 'jobs.price', bin: 100 },
        { when: [{ exists: 'payments' }], as: 'has_paid' },
      ],
    },
    sql: "select job_id, floor(price / 100.0) * 100, case when exists (select 1 from payments p where p.job_id = j.job_id) then 'yes' else 'no' end from jobs j",
  },
  {
    name: 'several homes at once, each grouped on its own',
    plan: { metrics: ['revenue', 'paid', 'minutes_worked', 'late_jobs'], dimensions: ['jobs.kind', 'place.region'] },
    sql: 'select j.kind, s.region, sum(j.price), (select sum(amount) from payments p join jobs k on k.job_id = p.job_id join sites t on t.site_id = k.site_id where k.kind = j.kind and t.region = s.region), (select sum(minutes) from visits v join jobs k on k.job_id = v.job_id join sites t on t.site_id = k.site_id where k.kind = j.kind and t.region = s.region), sum(case when j.closed > j.promised then 1 else 0 end) from jobs j left join sites s on s.site_id = j.site_id group by j.kind, s.region',
  },
  // Computed, rounded, filled
  {
    name: 'a mean of what is computed of each row, rounded',
    plan: {
      measures: [
        {
          fn: 'round',
          of: {
            fn: 'avg',
            value: { op: '-', of: [{ op: '*', of: [2, 'jobs.price'] }, 'jobs.hours'] },
            where: [is('jobs.kind', 'clock', 'radio')],
          },
          digits: 1,
        },
        { fn: 'sum', value: { op: '*', of: ['jobs.price', { op: '/', of: ['jobs.hours', 8] }] }, as: 'weighed' },
      ],
      dimensions: ['place.region'],
    },
    sql: "select s.region, round(cast(avg(case when j.kind in ('clock', 'radio') then 2 * j.price - j.hours end) as decimal(20, 6)), 1), sum(j.price * j.hours / 8.0) from jobs j left join sites s on s.site_id = j.site_id group by s.region",
  },
  {
    name: 'the time between two dates, divided by nothing where there is none',
    plan: {
      measures: [
        { fn: 'max', value: { from: 'jobs.opened', to: 'jobs.closed', in: 'hours' } },
        { fn: 'min', value: { op: '/', of: ['jobs.price', { op: '-', of: ['jobs.rating', 4] }] } },
      ],
      dimensions: ['jobs.kind'],
    },
    sql: (dates) =>
      `select kind, 24 * max(${dates.days('opened', 'closed')}), min(price / nullif(rating - 4, 0)) from jobs group by kind`,
  },
  {
    name: 'groups by what is computed of each row, in its order',
    plan: {
      measures: [count('jobs')],
      dimensions: [{ value: { from: 'jobs.opened', to: 'jobs.closed', in: 'days' }, as: 'days_open' }],
      order_by: [{ field: 'days_open' }],
    },
    sql: (d) =>
      `select days_open, n from (select ${d.days('opened', 'closed')} as days_open, count(*) as n from jobs group by 1) g order by days_open is null, days_open`,
    ordered: true,
  },
  {
    name: 'a listing with what is computed of each row, the least first, and its bins',
    plan: {
      rows: 'jobs',
      dimensions: [
        'jobs.job_id',
        { value: { op: '/', of: ['jobs.price', 'jobs.hours'] }, as: 'per_hour' },
        { value: { op: '*', of: ['jobs.hours', 10] }, bin: 25, as: 'size' },
      ],
      order_by: [{ field: 'per_hour' }],
      limit: 5,
    },
    sql: 'select job_id, price / hours, floor(hours * 10 / 25.0) * 25 from jobs where price is not null order by price / hours, job_id limit 5',
    ordered: true,
  },
  {
    name: 'groups of their own by what is computed, over every region',
    plan: {
      measures: [
        {
          ...{ fn: 'over_groups', take: 'max', of: count('jobs') },
          by: [{ value: { op: '-', of: ['jobs.rating', 1] }, as: 'stars' }],
        },
      ],
      dimensions: ['place.region'],
    },
    sql: 'select region, max(n) from (select s.region, j.rating - 1 as stars, count(*) as n from jobs j left join sites s on s.site_id = j.site_id where j.rating is not null group by s.region, j.rating - 1) g group by region',
  },
  {
    name: 'divided by a number, and 0 where there is nothing',
    plan: {
      measures: [
        { fn: 'quotient', of: sum('jobs.hours'), by: 4 },
        { fn: 'or_zero', of: sum('jobs.price', [is('jobs.kind', 'clock')]) },
      ],
      dimensions: ['clients.city'],
    },
    sql: "select c.city, sum(j.hours) / 4.0, coalesce(sum(case when j.kind = 'clock' then j.price end), 0) from jobs j left join clients c on c.client_id = j.client_id group by c.city",
  },
  {
    name: 'the dearest of each kind with ties, what has no price first',
    plan: {
      rows: 'jobs',
      dimensions: ['jobs.kind', 'jobs.job_id'],
      order_by: [{ field: 'jobs.price', direction: 'desc', nulls: 'first' }],
      limit_per: { by: ['jobs.kind'], rows: 1, ties: true },
    },
    sql: 'select kind, job_id from jobs j where price is null or (price = (select max(price) from jobs k where k.kind = j.kind) and not exists (select 1 from jobs k where k.kind = j.kind and k.price is null))',
  },
  {
    name: 'the regions with most jobs of each kind, with ties',
    plan: {
      measures: [count('jobs')],
      dimensions: ['jobs.kind', 'place.region'],
      order_by: [{ measure: count('jobs'), direction: 'desc' }],
      limit_per: { by: ['jobs.kind'], rows: 1, ties: true },
    },
    sql: 'select kind, region, n from (select j.kind, s.region, count(*) as n, rank() over (partition by j.kind order by count(*) desc) as place from jobs j left join sites s on s.site_id = j.site_id group by j.kind, s.region) r where place = 1',
  },
  {
    name: 'months of the calendar between two dates of one row',
    plan: {
      measures: [{ fn: 'sum', value: { from: 'jobs.opened', to: 'jobs.closed', in: 'months' } }],
      dimensions: ['jobs.kind'],
    },
    sql: 'select kind, sum((extract(year from closed) * 12 + extract(month from closed)) - (extract(year from opened) * 12 + extract(month from opened))) from jobs group by kind',
  },
  // Texts of rows as one, and texts that are lists
  {
    name: 'the values of each group as one text, some of them only, and their number',
    plan: {
      measures: [
        { fn: 'list', field: 'payments.method' },
        { fn: 'count', field: 'payments.method' },
        {
          fn: 'list',
          field: 'payments.method',
          separator: "' ",
          where: [over('payments.amount', 100)],
          as: 'of_large',
        },
      ],
      dimensions: ['jobs.kind'],
    },
    sql: "select 'bicycle', 'card, card, cash, cash', 4, 'card'' card' union all select 'clock', 'card, card, cash', 3, null union all select 'radio', 'card, card, card, cash', 4, 'card'' card'' card'",
  },
  {
    name: 'the distinct values of each group as one text, and their number',
    plan: {
      measures: [
        { fn: 'list', field: 'mechanics.mechanic_name', distinct: true, separator: '|' },
        { fn: 'list', field: 'bench.region', distinct: true },
        { fn: 'count_distinct', field: 'mechanics.mechanic_name' },
      ],
      dimensions: ['sites.site_name'],
      every: 'sites',
    },
    sql: "select 'Main Hall', 'Gil', 'North', 1 union all select 'Canal Street', 'Hana|Ivo', 'North', 2 union all select 'Old Mill', 'Jun', 'South', 1 union all select 'Quay', 'Kit', 'South', 1 union all select 'Empty Barn', null, null, 0",
  },
  {
    name: 'the number of items in a text, by any sign between them',
    plan: {
      measures: [
        { fn: 'max', value: { items: 'sites.site_name', separator: ' ' }, as: 'most_words' },
        { fn: 'sum', value: { op: '+', of: [{ items: 'sites.site_name', separator: 'a' }, 1] }, as: 'parts' },
      ],
      dimensions: ['sites.region'],
    },
    sql: "select 'North', 2, 8 union all select 'South', 2, 5 union all select null, 2, 3",
  },
  // Every period, also those without rows
  {
    name: 'every month of a period, also those without payments',
    plan: {
      measures: [count('payments'), sum('payments.amount'), { fn: 'or_zero', of: sum('payments.amount'), as: 'paid' }],
      dimensions: ['payments.paid_on.month'],
      time: { field: 'payments.paid_on', from: '2023-12-10', to: '2024-09-01' },
      every: 'payments.paid_on.month',
    },
    sql: (d) =>
      `select m.first_day, count(p.payment_id), sum(p.amount), coalesce(sum(p.amount), 0) from (${MONTHS}) m left join payments p on ${d.month('p.paid_on')} = m.first_day and p.paid_on >= '2023-12-10' and p.paid_on < '2024-09-01' group by m.first_day order by 1`,
    ordered: true,
  },
  {
    name: 'every month with each method, from the first to the last that there is',
    plan: {
      measures: [count('payments')],
      dimensions: ['payments.paid_on.month', 'payments.method'],
      every: 'payments.paid_on.month',
    },
    sql: (d) =>
      `select m.first_day, k.method, (select count(*) from payments p where ${d.month('p.paid_on')} = m.first_day and (p.method = k.method or (p.method is null and k.method is null))) from (${MONTHS}) m cross join (select distinct method from payments) k where m.first_day between '2024-01-01' and '2024-07-01'`,
  },
  {
    name: 'the mean over every month, where the ones without payments are 0',
    plan: {
      measures: [
        {
          fn: 'over_groups',
          take: 'avg',
          of: { fn: 'or_zero', of: sum('payments.amount') },
          by: ['payments.paid_on.month'],
          every: 'payments.paid_on.month',
        },
      ],
      time: { field: 'payments.paid_on', during: '2024' },
    },
    sql: 'select sum(amount) / 12.0 from payments',
  },
  {
    name: 'a running total over every month of what the conditions leave',
    plan: {
      measures: [count('jobs'), { fn: 'running_total', of: count('jobs'), as: 'so_far' }],
      dimensions: ['jobs.opened.month'],
      filters: [is('place.region', 'North')],
      every: 'jobs.opened.month',
    },
    sql: (d) =>
      `select m.first_day, count(j.job_id), (select count(*) from jobs k join sites t on t.site_id = k.site_id where t.region = 'North' and ${d.month('k.opened')} <= m.first_day) from (${MONTHS}) m left join (select j.* from jobs j join sites s on s.site_id = j.site_id where s.region = 'North') j on ${d.month('j.opened')} = m.first_day where m.first_day between '2024-01-01' and '2024-06-01' group by m.first_day`,
  },
];
