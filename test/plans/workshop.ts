// A chain of repair workshops: nested sites, clients who refer each other, jobs with several dates, bridge tables for
// parts and skills, prices over time, and missing end dates.
import { caseRows } from '../support/case-rows.ts';
import { lensText } from '../support/lens-text.ts';

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

export const workshopLens = (name: string, schema: string): string =>
  lensText(`name: ${name}
title: Workshop
description: Repair workshops.
connection: ${name}
timezone: UTC
datasets:
  sites: ${schema}sites (site_id integer key, site_name string auto, region string auto) {description: One row per site.}
  clients: ${schema}clients (client_id integer key, client_name string auto, city string auto, joined date time) {description: One row per client.}
  jobs: ${schema}jobs (job_id integer key, kind string auto, opened date time, promised date, closed date, hours decimal {aggregation: sum}, price decimal {unit: GBP, aggregation: sum}, rating integer {aggregation: average}) {description: One row per job.}
  parts: ${schema}parts (part_id integer key, part_name string auto, category string auto, unit_price decimal {unit: GBP, aggregation: average}) {description: One row per part.}
  job_parts: ${schema}job_parts (job_id integer key, part_id integer key, quantity integer {aggregation: sum}) {description: One row per part of a job.}
  mechanics: ${schema}mechanics (mechanic_id integer key, mechanic_name string auto, hired date time, hourly_rate decimal {unit: GBP, aggregation: average}) {description: One row per mechanic.}
  skills: ${schema}skills (skill_id integer key, skill_name string auto) {description: One row per skill.}
  mechanic_skills: ${schema}mechanic_skills (mechanic_id integer key, skill_id integer key) {description: One row per skill of a mechanic.}
  visits: ${schema}visits (visit_id integer key, started datetime time, minutes integer {aggregation: sum}) {description: One row per visit of a mechanic.}
  payments: ${schema}payments (payment_id integer key, paid_on date time, amount decimal {unit: GBP, aggregation: sum}, method string auto) {description: One row per payment.}
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
`);
