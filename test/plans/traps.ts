// Pairs of a right statement and the wrong one that is easily written instead, over the workshop, with the plan of the right
// one. `wrong` names what is wrong with it, for whoever judges statements.
import type { Plan } from './stage.ts';

export interface Trap {
  name: string;
  kind:
    | 'double_count'
    | 'average_of_averages'
    | 'ratio'
    | 'missing_groups'
    | 'many_side_filter'
    | 'not_additive'
    | 'same_names'
    | 'nulls'
    | 'dates';
  plan: Plan;
  right: string;
  wrong: string;
}
const sum = (field: string) => ({ fn: 'sum' as const, field });
const count = (rows: string, where?: Plan['filters']) => ({ fn: 'count' as const, rows, ...(where && { where }) });

export const TRAPS: Trap[] = [
  {
    name: 'prices repeated by payments',
    kind: 'double_count',
    plan: { metrics: ['revenue', 'paid'] },
    right: 'select (select sum(price) from jobs), (select sum(amount) from payments)',
    wrong: 'select sum(j.price), sum(p.amount) from jobs j join payments p on p.job_id = j.job_id',
  },
  {
    name: 'hours repeated by parts',
    kind: 'double_count',
    plan: { measures: [sum('jobs.hours'), sum('job_parts.quantity')], dimensions: ['jobs.kind'] },
    right:
      'select kind, sum(hours), (select sum(quantity) from job_parts jp join jobs k on k.job_id = jp.job_id where k.kind = j.kind) from jobs j group by kind',
    wrong:
      'select j.kind, sum(j.hours), sum(jp.quantity) from jobs j left join job_parts jp on jp.job_id = j.job_id group by j.kind',
  },
  {
    name: 'two many sides multiply each other',
    kind: 'double_count',
    plan: { metrics: ['paid', 'minutes_worked'], dimensions: ['jobs.job_id'] },
    right:
      'select job_id, (select sum(amount) from payments p where p.job_id = j.job_id), (select sum(minutes) from visits v where v.job_id = j.job_id) from jobs j where job_id in (select job_id from payments) or job_id in (select job_id from visits)',
    wrong:
      'select j.job_id, sum(p.amount), sum(v.minutes) from jobs j left join payments p on p.job_id = j.job_id left join visits v on v.job_id = j.job_id where p.job_id is not null or v.job_id is not null group by j.job_id',
  },
  {
    name: 'jobs counted over payments',
    kind: 'double_count',
    plan: { metrics: ['job_count', 'paid'], dimensions: ['jobs.kind'] },
    right:
      'select kind, count(*), (select sum(amount) from payments p join jobs k on k.job_id = p.job_id where k.kind = j.kind) from jobs j group by kind',
    wrong:
      'select j.kind, count(j.job_id), sum(p.amount) from jobs j left join payments p on p.job_id = j.job_id group by j.kind',
  },
  {
    name: 'revenue by category of parts counts a job once for each part',
    kind: 'double_count',
    plan: {
      metrics: ['revenue'],
      dimensions: [{ field: 'parts.category', through: 'job_parts' }],
      filters: [{ exists: 'job_parts' }],
    },
    right:
      'select c.category, sum(j.price) from jobs j join (select distinct jp.job_id, p.category from job_parts jp join parts p on p.part_id = jp.part_id) c on c.job_id = j.job_id group by c.category',
    wrong:
      'select p.category, sum(j.price) from jobs j join job_parts jp on jp.job_id = j.job_id join parts p on p.part_id = jp.part_id group by p.category',
  },
  {
    name: 'rates averaged over visits',
    kind: 'double_count',
    plan: { measures: [{ fn: 'avg', field: 'mechanics.hourly_rate' }, count('visits')] },
    right: 'select (select avg(hourly_rate) from mechanics), (select count(*) from visits)',
    wrong:
      'select avg(m.hourly_rate), count(v.visit_id) from mechanics m left join visits v on v.mechanic_id = m.mechanic_id',
  },
  {
    name: 'minutes repeated by skills',
    kind: 'double_count',
    plan: { metrics: ['minutes_worked'], filters: [{ exists: 'mechanic_skills' }] },
    right: 'select sum(minutes) from visits where mechanic_id in (select mechanic_id from mechanic_skills)',
    wrong: 'select sum(v.minutes) from visits v join mechanic_skills ms on ms.mechanic_id = v.mechanic_id',
  },
  {
    name: 'the average of averages over kinds',
    kind: 'average_of_averages',
    plan: { measures: [{ fn: 'avg', field: 'jobs.price' }] },
    right: 'select avg(price) from jobs',
    wrong: 'select avg(a) from (select kind, avg(price) as a from jobs group by kind) x',
  },
  {
    name: 'the average of ratings by site, averaged by region',
    kind: 'average_of_averages',
    plan: { measures: [{ fn: 'avg', field: 'jobs.rating' }], dimensions: ['place.region'] },
    right: 'select s.region, avg(j.rating) from jobs j left join sites s on s.site_id = j.site_id group by s.region',
    wrong:
      'select region, avg(a) from (select s.region, s.site_id, avg(j.rating) as a from jobs j left join sites s on s.site_id = j.site_id group by s.region, s.site_id) x group by region',
  },
  {
    name: 'average minutes of a visit by kind, averaged over mechanics',
    kind: 'average_of_averages',
    plan: { measures: [{ fn: 'avg', field: 'visits.minutes' }], dimensions: ['jobs.kind'] },
    right: 'select j.kind, avg(v.minutes) from visits v join jobs j on j.job_id = v.job_id group by j.kind',
    wrong:
      'select kind, avg(a) from (select j.kind, v.mechanic_id, avg(v.minutes) as a from visits v join jobs j on j.job_id = v.job_id group by j.kind, v.mechanic_id) x group by kind',
  },
  {
    name: 'revenue per client is no average of prices',
    kind: 'average_of_averages',
    plan: { measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', per: ['clients'] }] },
    right: 'select avg(t) from (select sum(price) as t from jobs where client_id is not null group by client_id) x',
    wrong: 'select avg(price) from jobs where client_id is not null',
  },
  {
    name: 'price per hour: the ratio of sums',
    kind: 'ratio',
    plan: { metrics: ['price_per_hour'], filters: [{ field: 'jobs.price', op: 'is_not_null' }] },
    right: 'select sum(price) / sum(hours) from jobs where price is not null',
    wrong: 'select avg(price / hours) from jobs where price is not null',
  },
  {
    name: 'price per hour by kind',
    kind: 'ratio',
    plan: {
      measures: [{ fn: 'ratio', of: [sum('jobs.price'), sum('jobs.hours')] }],
      dimensions: ['jobs.kind'],
      filters: [{ field: 'jobs.price', op: 'is_not_null' }],
    },
    right: 'select kind, sum(price) / sum(hours) from jobs where price is not null group by kind',
    wrong: 'select kind, avg(price / hours) from jobs where price is not null group by kind',
  },
  {
    name: 'the mean of ratios, where it is asked for',
    kind: 'ratio',
    plan: {
      measures: [
        {
          fn: 'over_groups',
          take: 'avg',
          of: { fn: 'ratio', of: [sum('jobs.price'), sum('jobs.hours')] },
          per: ['jobs'],
        },
      ],
    },
    right: 'select avg(price / hours) from jobs',
    wrong: 'select sum(price) / sum(hours) from jobs',
  },
  {
    name: 'the share that was paid, over all jobs and not over the paid ones',
    kind: 'ratio',
    plan: { measures: [{ fn: 'ratio', of: ['paid', 'revenue'] }] },
    right: 'select (select sum(amount) from payments) / (select sum(price) from jobs)',
    wrong: 'select sum(p.amount) / sum(j.price) from payments p join jobs j on j.job_id = p.job_id',
  },
  {
    name: 'the late share of the closed jobs',
    kind: 'ratio',
    plan: {
      measures: [{ fn: 'ratio', of: ['late_jobs', count('jobs', [{ field: 'jobs.closed', op: 'is_not_null' }])] }],
    },
    right: 'select 1.0 * sum(case when closed > promised then 1 else 0 end) / count(closed) from jobs',
    wrong: 'select 1.0 * sum(case when closed > promised then 1 else 0 end) / count(*) from jobs',
  },
  {
    name: 'mechanics of a site, also those who had no visit',
    kind: 'missing_groups',
    plan: { measures: [count('mechanics')], dimensions: ['bench.site_id'] },
    right: 'select site_id, count(*) from mechanics group by site_id',
    wrong:
      'select m.site_id, count(*) from mechanics m join visits v on v.mechanic_id = m.mechanic_id group by m.site_id',
  },
  {
    name: 'clients without a job',
    kind: 'missing_groups',
    plan: { metrics: ['job_count'], dimensions: ['clients.client_id'], every: 'clients' },
    right:
      'select c.client_id, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id group by c.client_id',
    wrong: 'select client_id, count(*) from jobs where client_id is not null group by client_id',
  },
  {
    name: 'clients without a job in the period: the condition removes them from an outer join',
    kind: 'missing_groups',
    plan: { metrics: ['job_count'], dimensions: ['clients.client_id'], every: 'clients', time: { during: '2024-Q2' } },
    right:
      "select c.client_id, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id and j.opened >= '2024-04-01' and j.opened < '2024-07-01' group by c.client_id",
    wrong:
      "select c.client_id, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id where j.opened >= '2024-04-01' and j.opened < '2024-07-01' group by c.client_id",
  },
  {
    name: 'no job counts as none, and not as one',
    kind: 'missing_groups',
    plan: { metrics: ['job_count'], dimensions: ['clients.city'], every: 'clients' },
    right:
      'select c.city, count(j.job_id) from clients c left join jobs j on j.client_id = c.client_id group by c.city',
    wrong: 'select c.city, count(*) from clients c left join jobs j on j.client_id = c.client_id group by c.city',
  },
  {
    name: 'kinds without a cheap job stay',
    kind: 'missing_groups',
    plan: { measures: [count('jobs', [{ field: 'jobs.price', op: '<', values: [70] }])], dimensions: ['jobs.kind'] },
    right: 'select kind, count(case when price < 70 then 1 end) from jobs group by kind',
    wrong: 'select kind, count(*) from jobs where price < 70 group by kind',
  },
  {
    name: 'the mean of jobs over all clients',
    kind: 'missing_groups',
    plan: { measures: [{ fn: 'over_groups', take: 'avg', of: 'job_count', per: ['clients'], every: 'clients' }] },
    right:
      'select avg(1.0 * n) from (select c.client_id, count(j.job_id) as n from clients c left join jobs j on j.client_id = c.client_id group by c.client_id) x',
    wrong:
      'select avg(1.0 * n) from (select client_id, count(*) as n from jobs where client_id is not null group by client_id) x',
  },
  {
    name: 'jobs with a metal part',
    kind: 'many_side_filter',
    plan: {
      metrics: ['revenue', 'job_count'],
      filters: [{ exists: 'job_parts', where: [{ field: 'parts.category', values: ['metal'] }] }],
    },
    right:
      "select sum(price), count(*) from jobs j where exists (select 1 from job_parts jp join parts p on p.part_id = jp.part_id where jp.job_id = j.job_id and p.category = 'metal')",
    wrong:
      "select sum(j.price), count(j.job_id) from jobs j join job_parts jp on jp.job_id = j.job_id join parts p on p.part_id = jp.part_id where p.category = 'metal'",
  },
  {
    name: 'mechanics without the skill, not with another one',
    kind: 'many_side_filter',
    plan: {
      measures: [count('mechanics')],
      filters: [{ not_exists: 'mechanic_skills', where: [{ field: 'skills.skill_name', values: ['bicycle'] }] }],
    },
    right:
      "select count(*) from mechanics m where not exists (select 1 from mechanic_skills ms join skills s on s.skill_id = ms.skill_id where ms.mechanic_id = m.mechanic_id and s.skill_name = 'bicycle')",
    wrong:
      "select count(distinct m.mechanic_id) from mechanics m join mechanic_skills ms on ms.mechanic_id = m.mechanic_id join skills s on s.skill_id = ms.skill_id where s.skill_name <> 'bicycle'",
  },
  {
    name: 'both skills, not either of them',
    kind: 'many_side_filter',
    plan: {
      measures: [count('mechanics')],
      filters: [
        { exists: 'mechanic_skills', where: [{ field: 'skills.skill_name', values: ['clock'] }] },
        { exists: 'mechanic_skills', where: [{ field: 'skills.skill_name', values: ['radio'] }] },
      ],
    },
    right:
      "select count(*) from mechanics m where exists (select 1 from mechanic_skills ms join skills s on s.skill_id = ms.skill_id where ms.mechanic_id = m.mechanic_id and s.skill_name = 'clock') and exists (select 1 from mechanic_skills ms join skills s on s.skill_id = ms.skill_id where ms.mechanic_id = m.mechanic_id and s.skill_name = 'radio')",
    wrong:
      "select count(distinct ms.mechanic_id) from mechanic_skills ms join skills s on s.skill_id = ms.skill_id where s.skill_name in ('clock', 'radio')",
  },
  {
    name: 'hours of jobs that were paid by card',
    kind: 'many_side_filter',
    plan: {
      measures: [sum('jobs.hours')],
      filters: [{ exists: 'payments', where: [{ field: 'payments.method', values: ['card'] }] }],
    },
    right: "select sum(hours) from jobs where job_id in (select job_id from payments where method = 'card')",
    wrong: "select sum(j.hours) from jobs j join payments p on p.job_id = j.job_id where p.method = 'card'",
  },
  {
    name: 'different clients of all months are no sum of those of each',
    kind: 'not_additive',
    plan: { measures: [{ fn: 'count_distinct', field: 'clients.client_id' }] },
    right: 'select count(distinct client_id) from clients',
    wrong:
      'select sum(n) from (select extract(month from opened) as m, count(distinct client_id) as n from jobs group by extract(month from opened)) x',
  },
  {
    name: 'mean rating of a client over jobs, never added up over sites',
    kind: 'not_additive',
    plan: { measures: [{ fn: 'avg', field: 'jobs.rating' }], dimensions: ['clients.client_id'] },
    right: 'select client_id, avg(rating) from jobs group by client_id',
    wrong:
      'select client_id, sum(a) from (select client_id, site_id, avg(rating) as a from jobs group by client_id, site_id) x group by client_id',
  },
  {
    name: 'two clients of one name',
    kind: 'same_names',
    plan: { metrics: ['revenue'], dimensions: ['clients.client_name'], per: ['clients'] },
    right:
      'select c.client_name, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id group by c.client_id, c.client_name',
    wrong:
      'select c.client_name, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id group by c.client_name',
  },
  {
    name: 'who never came back: a list with a null finds nobody',
    kind: 'nulls',
    plan: { rows: 'clients', dimensions: ['clients.client_id'], filters: [{ not_exists: 'jobs' }] },
    right: 'select client_id from clients c where not exists (select 1 from jobs j where j.client_id = c.client_id)',
    wrong: 'select client_id from clients where client_id not in (select client_id from jobs)',
  },
  {
    name: 'jobs of nobody stay in the total',
    kind: 'nulls',
    plan: { metrics: ['revenue'], dimensions: ['clients.city'] },
    right: 'select c.city, sum(j.price) from jobs j left join clients c on c.client_id = j.client_id group by c.city',
    wrong: 'select c.city, sum(j.price) from jobs j join clients c on c.client_id = j.client_id group by c.city',
  },
  {
    name: 'the whole last day of a period of moments',
    kind: 'dates',
    plan: { measures: [count('visits')], time: { field: 'visits.started', during: '2024-04' } },
    right: "select count(*) from visits where started >= '2024-04-01' and started < '2024-05-01'",
    wrong: "select count(*) from visits where started between '2024-04-01' and '2024-04-21'",
  },
  {
    name: 'closed in the month, not opened in it',
    kind: 'dates',
    plan: { metrics: ['revenue'], time: { field: 'jobs.closed', during: '2024-02' } },
    right: "select sum(price) from jobs where closed >= '2024-02-01' and closed < '2024-03-01'",
    wrong: "select sum(price) from jobs where opened >= '2024-02-01' and opened < '2024-03-01'",
  },
];
