// Statements that equal a plan, and near ones that mean something else. `miss`: what a careless reader would take for the
// same. Dates are compared as texts, which every engine reads.
export interface LiftCase {
  about: string;
  sql: string;
  /** Names of metrics that the plan must have. */
  metrics?: string[];
  miss?: string;
  /** The near one is a plan of its own, or none. */
  without?: 'mysql' | 'duckdb';
}
export const LIFTED: readonly LiftCase[] = [
  { about: 'rows', sql: 'select count(*) from sites', miss: 'select count(region) from sites' },
  {
    about: 'a sum',
    sql: 'select sum(price) from jobs',
    metrics: ['revenue'],
    miss: 'select sum(distinct price) from jobs',
  },
  { about: 'values', sql: 'select count(rating) from jobs', miss: 'select count(*) from jobs' },
  { about: 'distinct values', sql: 'select count(distinct kind) from jobs', miss: 'select count(kind) from jobs' },
  { about: 'a mean', sql: 'select avg(rating) from jobs', miss: 'select avg(coalesce(rating, 0)) from jobs' },
  {
    about: 'every month',
    sql: "select m.month, count(p.payment_id), coalesce(sum(p.amount), 0) from generate_series(cast('2023-12-01' as date), cast('2024-08-01' as date), interval '1 month') as m(month) left join payments p on date_trunc('month', p.paid_on) = m.month and p.method = 'card' group by m.month",
    miss: "select m.month, count(p.payment_id), sum(coalesce(p.amount, 0)) from generate_series(cast('2023-12-01' as date), cast('2024-08-01' as date), interval '1 month') as m(month) left join payments p on date_trunc('month', p.paid_on) = m.month and p.method = 'card' group by m.month",
    without: 'mysql',
  },
  {
    about: 'every day, joined to groups',
    sql: "select d.d, coalesce(p.n, 0), p.most from (select cast(g as date) as d from generate_series(cast('2024-01-30' as date), cast('2024-02-21' as date), interval '1 day') as t(g)) d left join (select paid_on, count(*) as n, max(amount) as most from payments group by paid_on) p on p.paid_on = d.d",
    miss: "select d.d, coalesce(p.n, 0), coalesce(p.most, 0) from (select cast(g as date) as d from generate_series(cast('2024-01-30' as date), cast('2024-02-21' as date), interval '2 days') as t(g)) d left join (select paid_on, count(*) as n, max(amount) as most from payments group by paid_on) p on p.paid_on = d.d",
    without: 'mysql',
  },
  { about: 'ends', sql: 'select min(opened), max(closed) from jobs' },
  { about: 'groups', sql: 'select kind, sum(price) from jobs group by kind', metrics: ['revenue'] },
  { about: 'groups by place', sql: 'select kind, count(*) as n from jobs group by 1 order by 2' },
  {
    about: 'groups by name',
    sql: 'select j.kind as sort, avg(j.hours) as mean from jobs j group by sort order by mean',
    without: 'mysql',
  },
  {
    about: 'a looked up group',
    sql: 'select c.city, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id group by c.city',
    metrics: ['revenue'],
    miss: 'select c.city, sum(j.price) from jobs j join clients c on c.client_id = j.client_id group by c.city',
  },
  {
    about: 'a join that keeps what has one',
    sql: 'select count(*) from jobs j join clients c on j.client_id = c.client_id',
    miss: 'select count(*) from jobs j left join clients c on j.client_id = c.client_id',
  },
  {
    about: 'a condition on what is looked up',
    sql: "select sum(j.price) from jobs as j join clients as c on c.client_id = j.client_id where c.city = 'York'",
    metrics: ['revenue'],
    miss: "select sum(j.price) from jobs as j left join clients as c on c.client_id = j.client_id and c.city = 'York'",
  },
  {
    about: 'tables side by side',
    sql: "select count(*) from jobs j, clients c where j.client_id = c.client_id and c.city = 'Leeds'",
    miss: "select count(*) from jobs j, clients c where c.city = 'Leeds'",
  },
  {
    about: 'two roles on',
    sql: 'select s.region, sum(p.amount) from payments p left join jobs j on j.job_id = p.job_id left join sites s on s.site_id = j.site_id group by s.region',
    metrics: ['paid'],
  },
  {
    about: 'a metric with its condition',
    sql: 'select count(job_id) from jobs where closed > promised',
    metrics: ['late_jobs'],
    miss: 'select count(job_id) from jobs where closed >= promised',
  },
  {
    about: 'a metric with its condition turned round',
    sql: 'select kind, count(job_id) from jobs where promised < closed group by kind',
    metrics: ['late_jobs'],
    miss: 'select kind, count(job_id) from jobs group by kind',
  },
  {
    about: 'an equal text',
    sql: "select sum(price) from jobs where kind = 'clock'",
    miss: "select sum(price) from jobs where kind <> 'clock'",
  },
  {
    about: 'one of several',
    sql: "select sum(price) from jobs where kind in ('clock', 'radio')",
    miss: "select sum(price) from jobs where kind not in ('clock', 'radio')",
  },
  {
    about: 'either',
    sql: "select count(*) from jobs where kind = 'radio' or price > 300",
    miss: "select count(*) from jobs where kind = 'radio' and price > 300",
  },
  {
    about: 'nothing there',
    sql: 'select count(*) from jobs where closed is null',
    miss: 'select count(*) from jobs where closed is not null',
  },
  {
    about: 'a number turned round',
    sql: 'select count(*) from jobs where 100 < price',
    miss: 'select count(*) from jobs where 100 <= price',
  },
  {
    about: 'a range of numbers',
    sql: 'select count(*) from jobs where hours between 2 and 6',
    miss: 'select count(*) from jobs where hours > 2 and hours < 6',
  },
  {
    about: 'a period',
    sql: "select sum(price) from jobs where opened >= '2024-02-01' and opened < '2024-04-01'",
    metrics: ['revenue'],
    miss: "select sum(price) from jobs where opened > '2024-02-01' and opened < '2024-04-02'",
  },
  {
    about: 'a period of days',
    sql: "select sum(price) from jobs where opened between '2024-02-01' and '2024-03-15'",
    metrics: ['revenue'],
    miss: "select sum(price) from jobs where opened between '2024-02-01' and '2024-03-14'",
  },
  {
    about: 'a period of instants',
    sql: "select sum(minutes) from visits where started >= '2024-01-01 00:00:00' and started < '2024-03-01 00:00:00'",
    metrics: ['minutes_worked'],
    miss: "select sum(minutes) from visits where started between '2024-01-01' and '2024-03-01'",
  },
  { about: 'a day', sql: "select count(*) from jobs where opened = '2024-04-02'" },
  {
    about: 'groups that have enough',
    sql: 'select kind, count(*) from jobs group by kind having count(*) > 2',
    miss: 'select kind, count(*) from jobs group by kind having count(*) >= 2',
  },
  {
    about: 'the most',
    sql: 'select kind, count(*) as n from jobs group by kind order by n desc, kind limit 2',
    miss: 'select kind, count(*) as n from jobs group by kind order by n, kind limit 2',
  },
  {
    about: 'listed',
    sql: 'select kind, price from jobs where price > 300',
    miss: 'select distinct kind, price from jobs where price > 300',
  },
  { about: 'each once', sql: 'select distinct kind from jobs', miss: 'select kind from jobs' },
  { about: 'each once by groups', sql: 'select kind from jobs group by kind' },
  {
    about: 'rows elsewhere',
    sql: "select count(*) from jobs j where exists (select 1 from payments p where p.job_id = j.job_id and p.method = 'card')",
    miss: "select count(*) from jobs j join payments p on p.job_id = j.job_id where p.method = 'card'",
  },
  {
    about: 'rows among',
    sql: 'select count(*) from jobs where job_id in (select job_id from payments)',
    miss: 'select count(*) from jobs where job_id not in (select job_id from payments)',
  },
  {
    about: 'no rows elsewhere',
    sql: 'select count(*) from jobs j where not exists (select 1 from payments p where p.job_id = j.job_id)',
    miss: 'select count(*) from jobs j left join payments p on p.job_id = j.job_id where p.amount is null',
  },
  {
    about: 'in part',
    sql: "select sum(case when kind = 'clock' then price end), count(*) from jobs",
    miss: "select avg(case when kind = 'clock' then price else 0 end), count(*) from jobs",
  },
  {
    about: 'a ratio',
    sql: 'select sum(price) / nullif(sum(hours), 0) from jobs',
    metrics: ['price_per_hour'],
    miss: 'select avg(price / nullif(hours, 0)) from jobs',
  },
];
