// Statements as people write them, and the plan that each equals; near ones that look so and mean something else.

import { caseRows } from '../support/case-rows.ts';
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

export const EVERYDAY: readonly Everyday[] = caseRows(import.meta.dirname, 'everyday-statements.jsonl');

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
