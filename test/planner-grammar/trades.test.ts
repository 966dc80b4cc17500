// Kinds of questions about a garage. If svc can't interpret a question, it declines or asks for clarification.
import { describe, expect, test } from 'vitest';
import { readQuestion } from '../../src/reader/read-question.ts';
import { caseRows } from '../support/case-rows.ts';
import { planBrief } from '../support/plan-brief.ts';
import { datasetsOf, lens, metric, relation } from '../support/planner-lenses.ts';

const garage = lens('garage', {
  datasets: datasetsOf(`
  customers: main.customers (id integer key, full_name string, town string {values: [Bath, Leeds, York]}, joined_on date time, email string)
  vehicles: main.vehicles (id integer key, plate_no string, make string {values: [Fiat, Volvo, Skoda]}, color_code string {values: [RED, BLU]}, mileage integer)
  mechanics: main.mechanics (id integer key, name string {values: [Ada, Bert]}, hired_on date time, hourly_rate decimal {unit: GBP})
  jobs: main.jobs (id integer key, opened_at date time, closed_at date, labor_amt decimal {synonyms: [labor amount]}, csat_score integer, status string {values: [waiting, running, done]}, reason_code string {values: [MOT, CRASH, SERVICE]}) {synonyms: [repair]}
  parts: main.parts (id integer key, part_name string {values: [Brake, Filter]}, price decimal {unit: GBP}, kind string {values: [mechanical, electric]})
  job_parts: main.job_parts (qty integer {synonyms: [quantity]}) {primary_key: [job_id, part_id]}
  invoices: main.invoices (inv_no string key, issued_on date time, due_date date, paid_on date, due_amt decimal {synonyms: [due amount]})`),
  relationships: [
    relation('vehicles', 'customer_id', 'customers', 'id'),
    relation('jobs', 'vehicle_id', 'vehicles', 'id'),
    relation('jobs', 'mechanic_id', 'mechanics', 'id'),
    relation('job_parts', 'job_id', 'jobs', 'id'),
    relation('job_parts', 'part_id', 'parts', 'id'),
    relation('invoices', 'job_id', 'jobs', 'id'),
  ],
  metrics: [
    metric('job_count', 'count(*)', 'jobs', { synonyms: ['number of jobs'] }),
    metric('vehicle_count', 'count(*)', 'vehicles', { synonyms: ['number of vehicles'] }),
    metric('total_labor_amount', 'sum(jobs.labor_amt)', 'jobs'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: garage, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'plan' ? planBrief(reading.plan) : reading.kind;
};

describe('questions about a garage', () => {
  test.each(caseRows<[string, string]>(import.meta.dirname, 'read-as.jsonl', 'GARAGE'))('%s', (question, brief) =>
    expect(read(question)).toBe(brief),
  );
  test.each([
    'mechanics who have not closed any jobs',
    'total labor amount for each part',
    'average mileage of vehicles per mechanic',
    'customers served by Ada',
    'parts never used',
    'customers with fewer than 3 vehicles which nobody owns',
    'jobs in the past 30 days inclusive of today',
    'jobs in the last 6 months excluding the current week',
  ])('are not guessed: %s', (question) => expect(['refused', 'clarification']).toContain(read(question)));
  test('count an event by its own date, or are not answered', () => {
    for (const question of ['invoices paid per month', 'jobs closed per month'])
      expect(['clarification', 'refused']).toContain(read(question));
    expect(read('number of invoices paid each month')).toBe('count(invoices) | by invoices.paid_on.month');
  });
});
