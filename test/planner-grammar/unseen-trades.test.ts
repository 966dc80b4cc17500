// Questions about a festival, an energy supplier and a shipping line that svc once couldn't interpret or interpreted
// wrongly.
import { describe, expect, test } from 'vitest';
import type { Lens } from '../../src/lens/model/lens.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import { caseRows } from '../support/case-rows.ts';
import { planBrief } from '../support/plan-brief.ts';
import { datasetsOf, lens, metric, relation } from '../support/planner-lenses.ts';

const festival = lens('festival', {
  datasets: datasetsOf(`
  stages: main.stages (stage_id integer key, stage_name string)
  artists: main.artists (artist_id integer key, artist_name string, genre string {values: [rock, jazz]}, fee decimal, release_date date)
  performances: main.performances (perf_id integer key, start_ts datetime time, peak_db decimal)
  visitors: main.visitors (visitor_id integer key, full_name string, home_city string {values: [Hamburg, Leeds], synonyms: [city]})
  tickets: main.tickets (ticket_no string key, kind string {values: [day, weekend, camping]}, channel string {values: [web, app]}, bought_at datetime, scanned_at datetime, price_paid decimal)
  vendors: main.vendors (vendor_id integer key, vendor_name string)
  sales: main.sales (sale_id integer key, sold_at datetime time, amount decimal)`),
  relationships: [
    relation('performances', 'artist_id', 'artists', 'artist_id'),
    relation('performances', 'stage_id', 'stages', 'stage_id'),
    relation('tickets', 'visitor_id', 'visitors', 'visitor_id'),
    relation('sales', 'vendor_id', 'vendors', 'vendor_id'),
  ],
  metrics: [metric('total_amount', 'sum(sales.amount)', 'sales')],
});
const supplier = lens('supplier', {
  datasets: datasetsOf(`
  customers: main.customers (cust_no integer key, name string)
  bills: main.bills (bill_no string key, issued_on date time, paid_on date, amount decimal)
  complaints: main.complaints (complaint_id integer key, topic string {values: [billing, meter]}, opened_at datetime time, closed_at datetime, outcome string {values: [success, failure]})
  containers: main.containers (container_no string key, owned boolean)`),
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
