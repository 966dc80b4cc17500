// Questions about a festival, an energy supplier and a shipping line that svc once couldn't read or read wrongly.
import { describe, expect, test } from 'vitest';
import type { Lens } from '../../src/lens/model/lens.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import { caseRows } from '../support/case-rows.ts';
import { planBrief } from '../support/plan-brief.ts';
import { dataset, field, lens, metric, relation } from '../support/planner-lenses.ts';

const festival = lens('festival', {
  datasets: [
    dataset('stages', ['stage_id'], [field('stage_id', 'integer'), field('stage_name', 'string')]),
    dataset(
      'artists',
      ['artist_id'],
      [
        field('artist_id', 'integer'),
        field('artist_name', 'string'),
        field('genre', 'string', { values: ['rock', 'jazz'] }),
        field('fee', 'decimal'),
        field('release_date', 'date'),
      ],
    ),
    dataset(
      'performances',
      ['perf_id'],
      [field('perf_id', 'integer'), field('start_ts', 'datetime'), field('peak_db', 'decimal')],
      { timeField: 'start_ts' },
    ),
    dataset(
      'visitors',
      ['visitor_id'],
      [
        field('visitor_id', 'integer'),
        field('full_name', 'string'),
        field('home_city', 'string', { values: ['Hamburg', 'Leeds'], synonyms: ['city'] }),
      ],
    ),
    dataset(
      'tickets',
      ['ticket_no'],
      [
        field('ticket_no', 'string'),
        field('kind', 'string', { values: ['day', 'weekend', 'camping'] }),
        field('channel', 'string', { values: ['web', 'app'] }),
        field('bought_at', 'datetime'),
        field('scanned_at', 'datetime'),
        field('price_paid', 'decimal'),
      ],
    ),
    dataset('vendors', ['vendor_id'], [field('vendor_id', 'integer'), field('vendor_name', 'string')]),
    dataset(
      'sales',
      ['sale_id'],
      [field('sale_id', 'integer'), field('sold_at', 'datetime'), field('amount', 'decimal')],
      { timeField: 'sold_at' },
    ),
  ],
  relationships: [
    relation('performances', 'artist_id', 'artists', 'artist_id'),
    relation('performances', 'stage_id', 'stages', 'stage_id'),
    relation('tickets', 'visitor_id', 'visitors', 'visitor_id'),
    relation('sales', 'vendor_id', 'vendors', 'vendor_id'),
  ],
  metrics: [metric('total_amount', 'sum(sales.amount)', 'sales')],
});
const supplier = lens('supplier', {
  datasets: [
    dataset('customers', ['cust_no'], [field('cust_no', 'integer'), field('name', 'string')]),
    dataset(
      'bills',
      ['bill_no'],
      [field('bill_no', 'string'), field('issued_on', 'date'), field('paid_on', 'date'), field('amount', 'decimal')],
      { timeField: 'issued_on' },
    ),
    dataset(
      'complaints',
      ['complaint_id'],
      [
        field('complaint_id', 'integer'),
        field('topic', 'string', { values: ['billing', 'meter'] }),
        field('opened_at', 'datetime'),
        field('closed_at', 'datetime'),
        field('outcome', 'string', { values: ['success', 'failure'] }),
      ],
      { timeField: 'opened_at' },
    ),
    dataset('containers', ['container_no'], [field('container_no', 'string'), field('owned', 'boolean')]),
  ],
  relationships: [
    relation('bills', 'cust_no', 'customers', 'cust_no'),
    relation('complaints', 'cust_no', 'customers', 'cust_no'),
  ],
  metrics: [metric('total_amount', 'sum(bills.amount)', 'bills')],
});
const read = (question: string, of: Lens): string => {
  const reading = readQuestion({ question, lens: of, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'plan' ? planBrief(reading.plan) : reading.kind;
};

describe('questions about a festival', () => {
  test.each(caseRows<[string, string]>(import.meta.dirname, 'read-as.jsonl', 'FESTIVAL'))('%s', (question, brief) =>
    expect(read(question, festival)).toBe(brief),
  );
  test.each([
    'how many genres have more than 25 performances',
    'Which vendors had total sales over 3000? Return the vendor name and total sales amount.',
    'number of tickets per month',
  ])('are not guessed: %s', (question) => expect(['refused', 'clarification']).toContain(read(question, festival)));
});
describe('questions about an energy supplier', () => {
  test.each([
    [
      'which day of the week has the most complaints',
      'count(complaints) | by complaints.opened_at.weekday | order #0 desc | limit 1',
    ],
  ])('%s', (question, brief) => expect(read(question, supplier)).toBe(brief));
  test.each(['how many containers do we own', 'containers we own'])('are not guessed: %s', (question) =>
    expect(['refused', 'clarification']).toContain(read(question, supplier)),
  );
});
