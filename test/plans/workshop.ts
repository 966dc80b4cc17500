// A chain of repair workshops: sites under sites, clients who bring each other, jobs with several dates, parts and skills
// over bridges, prices and ends that are not there yet.
type Cell = string | number | null;
export const TABLES: Record<string, { columns: string; rows: Cell[][] }> = {
  sites: {
    columns: 'site_id int primary key, site_name varchar(40), region varchar(40), parent_id int',
    rows: [
      [1, 'Main Hall', 'North', null],
      [2, 'Canal Street', 'North', 1],
      [3, 'Old Mill', 'South', 1],
      [4, 'Quay', 'South', 3],
      [5, 'Empty Barn', null, 1],
    ],
  },
  clients: {
    columns: 'client_id int primary key, client_name varchar(40), city varchar(40), joined date, brought_by int',
    rows: [
      [1, 'Ada Moss', 'Leeds', '2023-01-10', null],
      [2, 'Ben Roe', 'York', '2023-02-20', 1],
      [3, 'Ada Moss', 'York', '2023-03-05', 1],
      [4, 'Cleo Fenn', null, '2024-01-02', 2],
      [5, 'Dov Hale', 'Leeds', '2024-02-29', null],
      [6, 'Eve Marsh', 'Hull', '2024-03-31', 5],
    ],
  },
  jobs: {
    columns:
      'job_id int primary key, client_id int, site_id int, kind varchar(20), opened date, promised date, closed date, hours decimal(8,2), price decimal(12,2), rating int',
    rows: [
      [1, 1, 1, 'bicycle', '2024-01-05', '2024-01-12', '2024-01-10', 3.5, 120.0, 5],
      [2, 1, 2, 'bicycle', '2024-01-20', '2024-01-25', '2024-02-02', 8.0, 310.5, 3],
      [3, 2, 2, 'clock', '2024-02-03', '2024-02-20', '2024-02-20', 2.0, 80.0, 4],
      [4, 2, 3, 'bicycle', '2024-02-14', '2024-02-28', null, 6.0, null, null],
      [5, 3, 3, 'radio', '2024-03-01', '2024-03-08', '2024-03-30', 12.0, 640.0, 2],
      [6, 3, 4, 'clock', '2024-03-15', '2024-03-20', '2024-03-18', 1.5, 60.0, 5],
      [7, 4, 4, 'radio', '2024-03-16', '2024-04-01', '2024-04-01', 4.0, 200.0, 4],
      [8, 4, 1, 'bicycle', '2024-04-02', '2024-04-09', null, 5.5, 150.25, null],
      [9, 5, 1, 'clock', '2024-04-20', '2024-04-30', '2024-04-22', 0.5, 25.0, 1],
      [10, 1, 2, 'radio', '2024-06-01', '2024-06-15', '2024-06-14', 7.0, 410.0, 4],
      [11, 2, 2, 'bicycle', '2024-06-11', '2024-06-18', '2024-06-30', 9.0, 310.5, 3],
      [12, null, 3, 'clock', '2024-06-20', null, null, 2.5, 95.0, null],
    ],
  },
  parts: {
    columns: 'part_id int primary key, part_name varchar(40), category varchar(20), unit_price decimal(10,2)',
    rows: [
      [1, 'chain', 'metal', 20.0],
      [2, 'spring', 'metal', 4.5],
      [3, 'valve', 'glass', 35.0],
      [4, 'knob', 'plastic', 2.0],
      [5, 'saddle', 'leather', 60.0],
      [6, 'hand', 'metal', 8.0],
    ],
  },
  job_parts: {
    columns: 'job_id int, part_id int, quantity int, primary key (job_id, part_id)',
    rows: [
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 1],
      [2, 5, 1],
      [3, 6, 2],
      [3, 2, 1],
      [5, 3, 4],
      [5, 4, 2],
      [6, 2, 3],
      [7, 3, 1],
      [8, 1, 2],
      [10, 3, 2],
      [10, 4, 1],
      [11, 5, 1],
      [11, 1, 1],
      [11, 2, 4],
    ],
  },
  mechanics: {
    columns:
      'mechanic_id int primary key, mechanic_name varchar(40), site_id int, hired date, hourly_rate decimal(8,2)',
    rows: [
      [1, 'Gil', 1, '2019-05-01', 40.0],
      [2, 'Hana', 2, '2021-09-15', 35.0],
      [3, 'Ivo', 2, '2023-11-11', 28.0],
      [4, 'Jun', 3, '2020-02-29', 44.0],
      [5, 'Kit', 4, '2024-03-01', 25.0],
    ],
  },
  skills: {
    columns: 'skill_id int primary key, skill_name varchar(20)',
    rows: [
      [1, 'bicycle'],
      [2, 'clock'],
      [3, 'radio'],
      [4, 'welding'],
    ],
  },
  mechanic_skills: {
    columns: 'mechanic_id int, skill_id int, primary key (mechanic_id, skill_id)',
    rows: [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 3],
      [3, 1],
      [4, 2],
      [4, 3],
      [5, 3],
    ],
  },
  visits: {
    columns: 'visit_id int primary key, mechanic_id int, job_id int, started timestamp, minutes int',
    rows: [
      [1, 1, 1, '2024-01-06 09:00:00', 90],
      [2, 1, 1, '2024-01-08 14:30:00', 120],
      [3, 2, 2, '2024-01-22 10:00:00', 240],
      [4, 3, 2, '2024-01-23 11:00:00', 240],
      [5, 2, 3, '2024-02-05 09:15:00', 120],
      [6, 4, 4, '2024-02-17 13:00:00', 200],
      [7, 4, 5, '2024-03-02 09:00:00', 400],
      [8, 5, 5, '2024-03-09 16:00:00', 320],
      [9, 5, 6, '2024-03-16 09:00:00', 90],
      [10, 5, 7, '2024-03-18 09:00:00', 240],
      [11, 1, 8, '2024-04-06 08:00:00', 330],
      [12, 1, 9, '2024-04-21 12:00:00', 30],
      [13, 2, 10, '2024-06-03 10:30:00', 300],
      [14, 3, 11, '2024-06-12 10:00:00', 540],
    ],
  },
  payments: {
    columns: 'payment_id int primary key, job_id int, paid_on date, amount decimal(12,2), method varchar(10)',
    rows: [
      [1, 1, '2024-01-10', 120.0, 'card'],
      [2, 2, '2024-02-02', 100.0, 'cash'],
      [3, 2, '2024-02-15', 100.0, 'cash'],
      [4, 2, '2024-03-01', 110.5, 'card'],
      [5, 3, '2024-02-21', 80.0, 'card'],
      [6, 5, '2024-03-30', 300.0, 'card'],
      [7, 5, '2024-04-30', 340.0, 'card'],
      [8, 6, '2024-03-18', 60.0, 'cash'],
      [9, 7, '2024-04-02', 50.0, 'cash'],
      [10, 9, '2024-04-22', 25.0, 'card'],
      [11, 10, '2024-06-14', 410.0, 'card'],
      [12, 11, '2024-07-01', 200.0, null],
    ],
  },
};
const cell = (value: Cell): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

export const workshopStatements = (engine: string): string[] =>
  Object.entries(TABLES).flatMap(([name, { columns, rows }]) => [
    `create table ${name} (${engine === 'mysql' ? columns.replace('started timestamp', 'started datetime') : columns})`,
    `insert into ${name} values ${rows.map((row) => `(${row.map(cell).join(', ')})`).join(', ')}`,
  ]);

export const workshopLens = (name: string, schema: string): string => `name: ${name}
title: Workshop
description: Repair workshops.
connection: ${name}
timezone: UTC
datasets:
  sites:
    source: ${schema}sites
    description: One row per site.
    primary_key: [site_id]
    fields:
      site_id: {datatype: integer}
      site_name: {datatype: string, values: auto}
      region: {datatype: string, values: auto}
  clients:
    source: ${schema}clients
    description: One row per client.
    primary_key: [client_id]
    time_field: joined
    fields:
      client_id: {datatype: integer}
      client_name: {datatype: string, values: auto}
      city: {datatype: string, values: auto}
      joined: {datatype: date}
  jobs:
    source: ${schema}jobs
    description: One row per job.
    primary_key: [job_id]
    time_field: opened
    fields:
      job_id: {datatype: integer}
      kind: {datatype: string, values: auto}
      opened: {datatype: date}
      promised: {datatype: date}
      closed: {datatype: date}
      hours: {datatype: decimal, aggregation: sum}
      price: {datatype: decimal, unit: GBP, aggregation: sum}
      rating: {datatype: integer, aggregation: average}
  parts:
    source: ${schema}parts
    description: One row per part.
    primary_key: [part_id]
    fields:
      part_id: {datatype: integer}
      part_name: {datatype: string, values: auto}
      category: {datatype: string, values: auto}
      unit_price: {datatype: decimal, unit: GBP, aggregation: average}
  job_parts:
    source: ${schema}job_parts
    description: One row per part of a job.
    primary_key: [job_id, part_id]
    fields:
      job_id: {datatype: integer}
      part_id: {datatype: integer}
      quantity: {datatype: integer, aggregation: sum}
  mechanics:
    source: ${schema}mechanics
    description: One row per mechanic.
    primary_key: [mechanic_id]
    time_field: hired
    fields:
      mechanic_id: {datatype: integer}
      mechanic_name: {datatype: string, values: auto}
      hired: {datatype: date}
      hourly_rate: {datatype: decimal, unit: GBP, aggregation: average}
  skills:
    source: ${schema}skills
    description: One row per skill.
    primary_key: [skill_id]
    fields:
      skill_id: {datatype: integer}
      skill_name: {datatype: string, values: auto}
  mechanic_skills:
    source: ${schema}mechanic_skills
    description: One row per skill of a mechanic.
    primary_key: [mechanic_id, skill_id]
    fields:
      mechanic_id: {datatype: integer}
      skill_id: {datatype: integer}
  visits:
    source: ${schema}visits
    description: One row per visit of a mechanic.
    primary_key: [visit_id]
    time_field: started
    fields:
      visit_id: {datatype: integer}
      started: {datatype: datetime}
      minutes: {datatype: integer, aggregation: sum}
  payments:
    source: ${schema}payments
    description: One row per payment.
    primary_key: [payment_id]
    time_field: paid_on
    fields:
      payment_id: {datatype: integer}
      paid_on: {datatype: date}
      amount: {datatype: decimal, unit: GBP, aggregation: sum}
      method: {datatype: string, values: auto}
relationships:
  - {name: parent, from: sites.parent_id, to: sites.site_id}
  - {name: brought_by, from: clients.brought_by, to: clients.client_id}
  - {from: jobs.client_id, to: clients.client_id}
  - {name: place, from: jobs.site_id, to: sites.site_id}
  - {from: job_parts.job_id, to: jobs.job_id}
  - {from: job_parts.part_id, to: parts.part_id}
  - {name: bench, from: mechanics.site_id, to: sites.site_id}
  - {from: mechanic_skills.mechanic_id, to: mechanics.mechanic_id}
  - {from: mechanic_skills.skill_id, to: skills.skill_id}
  - {from: visits.mechanic_id, to: mechanics.mechanic_id}
  - {from: visits.job_id, to: jobs.job_id}
  - {from: payments.job_id, to: jobs.job_id}
metrics:
  revenue: {expression: sum(jobs.price), unit: GBP}
  job_count: {expression: count(jobs.job_id)}
  late_jobs: {expression: count(jobs.job_id), filter: jobs.closed > jobs.promised}
  paid: {expression: sum(payments.amount), unit: GBP}
  price_per_hour: {expression: "sum(jobs.price) / nullif(sum(jobs.hours), 0)", unit: GBP}
  minutes_worked: {expression: sum(visits.minutes)}
`;
