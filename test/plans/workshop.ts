// A chain of repair workshops: nested sites, clients who refer each other, jobs with several dates, bridge tables for
// parts and skills, prices over time, and missing end dates.
import { caseRows } from '../support/case-rows.ts';

type Cell = string | number | null;
export const TABLES: Record<string, { columns: string; rows: Cell[][] }> = Object.fromEntries(
  caseRows<[string, string, Cell[][]]>(import.meta.dirname, 'workshop.jsonl').map(([name, columns, rows]) => [
    name,
    { columns, rows },
  ]),
);
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
  paid_late: {expression: sum(payments.amount), filter: jobs.closed > jobs.promised, unit: GBP}
  revenue: {expression: sum(jobs.price), unit: GBP}
  job_count: {expression: count(jobs.job_id)}
  late_jobs: {expression: count(jobs.job_id), filter: jobs.closed > jobs.promised}
  paid: {expression: sum(payments.amount), unit: GBP}
  price_per_hour: {expression: "sum(jobs.price) / nullif(sum(jobs.hours), 0)", unit: GBP}
  minutes_worked: {expression: sum(visits.minutes)}
`;
