// Kinds of questions about a garage. If svc can't read a question, it declines or asks for clarification.
import { describe, expect, test } from 'vitest';
import { readQuestion } from '../../src/reader/read-question.ts';
import { caseRows } from '../support/case-rows.ts';
import { planBrief } from '../support/plan-brief.ts';
import { dataset, field, lens, metric, relation } from '../support/planner-lenses.ts';

const garage = lens('garage', {
  datasets: [
    dataset(
      'customers',
      ['id'],
      [
        field('id', 'integer'),
        field('full_name', 'string'),
        field('town', 'string', { values: ['Bath', 'Leeds', 'York'] }),
        field('joined_on', 'date'),
        field('email', 'string'),
      ],
      { timeField: 'joined_on' },
    ),
    dataset(
      'vehicles',
      ['id'],
      [
        field('id', 'integer'),
        field('plate_no', 'string'),
        field('make', 'string', { values: ['Fiat', 'Volvo', 'Skoda'] }),
        field('color_code', 'string', { values: ['RED', 'BLU'] }),
        field('mileage', 'integer'),
      ],
    ),
    dataset(
      'mechanics',
      ['id'],
      [
        field('id', 'integer'),
        field('name', 'string', { values: ['Ada', 'Bert'] }),
        field('hired_on', 'date'),
        field('hourly_rate', 'decimal', { unit: 'GBP' }),
      ],
      { timeField: 'hired_on' },
    ),
    dataset(
      'jobs',
      ['id'],
      [
        field('id', 'integer'),
        field('opened_at', 'date'),
        field('closed_at', 'date'),
        field('labor_amt', 'decimal', { synonyms: ['labor amount'] }),
        field('csat_score', 'integer'),
        field('status', 'string', { values: ['waiting', 'running', 'done'] }),
        field('reason_code', 'string', { values: ['MOT', 'CRASH', 'SERVICE'] }),
      ],
      { timeField: 'opened_at', synonyms: ['repair'] },
    ),
    dataset(
      'parts',
      ['id'],
      [
        field('id', 'integer'),
        field('part_name', 'string', { values: ['Brake', 'Filter'] }),
        field('price', 'decimal', { unit: 'GBP' }),
        field('kind', 'string', { values: ['mechanical', 'electric'] }),
      ],
    ),
    dataset('job_parts', ['job_id', 'part_id'], [field('qty', 'integer', { synonyms: ['quantity'] })]),
    dataset(
      'invoices',
      ['inv_no'],
      [
        field('inv_no', 'string'),
        field('issued_on', 'date'),
        field('due_date', 'date'),
        field('paid_on', 'date'),
        field('due_amt', 'decimal', { synonyms: ['due amount'] }),
      ],
      { timeField: 'issued_on' },
    ),
  ],
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
