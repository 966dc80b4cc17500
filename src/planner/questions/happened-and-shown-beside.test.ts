// What has happened where its date is there, what has not, and what is asked for beside things that were told already.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const repairs = lens('repairs', {
  datasets: [
    dataset(
      'garages',
      ['garage_id'],
      [
        field('garage_id', 'integer'),
        field('garage_name', 'string', { values: ['Nord'] }),
        field('city', 'string', { values: ['Oslo', 'Bergen'] }),
        field('chief', 'string'),
        field('rent', 'decimal'),
      ],
    ),
    dataset(
      'jobs',
      ['job_id'],
      [
        field('job_id', 'integer'),
        field('garage_id', 'integer'),
        field('taken_on', 'date'),
        field('paid_on', 'date', { synonyms: ['payment date'] }),
        field('ends_on', 'date'),
        field('state', 'string', { values: ['open', 'closed'] }),
        field('closed_on', 'date'),
        field('kind', 'string', { values: ['wash', 'brakes'] }),
        field('price', 'decimal'),
      ],
      { timeField: 'taken_on' },
    ),
    dataset(
      'checks',
      ['check_id'],
      [
        field('check_id', 'integer'),
        field('garage_id', 'integer'),
        field('checked_on', 'date', { synonyms: ['checked'] }),
        field('release_date', 'date'),
        field('sent_date', 'date'),
      ],
    ),
  ],
  metrics: [],
  relationships: [
    relation('jobs', 'garage_id', 'garages', 'garage_id'),
    relation('checks', 'garage_id', 'garages', 'garage_id'),
  ],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: repairs, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  ['How many jobs have not been paid yet?', 'count(jobs) | where jobs.paid_on is_null'],
  ['number of unpaid jobs by kind', 'count(jobs) | by jobs.kind | where jobs.paid_on is_null'],
  ['How many jobs are still unpaid?', 'count(jobs) | where jobs.paid_on is_null'],
  ['How many jobs were paid?', 'count(jobs) | where jobs.paid_on is_not_null'],
  [
    'unpaid brakes jobs',
    'list jobs | by jobs.job_id, jobs.garage_id, jobs.taken_on, jobs.paid_on, jobs.ends_on, jobs.state, jobs.closed_on, jobs.kind, jobs.price | where jobs.kind = brakes & jobs.paid_on is_null',
  ],
  [
    'number of paid jobs in 2023',
    'count(jobs) | where jobs.paid_on is_not_null | time jobs.paid_on 2023-01-01..2024-01-01',
  ],
  ['How many jobs were paid in 2023?', 'count(jobs) | time jobs.paid_on 2023-01-01..2024-01-01'],
  ['How many jobs have not been closed?', 'count(jobs) | where jobs.state != closed or null'],
  ['unclosed jobs', 'refused'],
  ['How many jobs have not ended?', 'refused'],
  ['How many checks were sent?', 'count(checks) | where checks.sent_date is_not_null'],
  ['How many checks were released?', 'refused'],
  ['unreleased checks', 'refused'],
  ['Which garages have never been checked?', 'list garages | by garages.garage_name | where no checks'],
])('what has happened: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each([
  [
    'Give me the top 3 garages by total price, including the price and the number of jobs.',
    'sum(jobs.price), count(jobs) | by garages.garage_name | key garages | where garages.garage_id is_not_null | order #0 desc | limit 3',
  ],
  [
    'List all garages in Oslo with their chief and rent, sorted by rent from highest to lowest.',
    'list garages | by garages.garage_name, garages.chief, garages.rent | where garages.city = Oslo | order garages.rent desc',
  ],
  [
    'List the jobs at Nord with kind, price and garage name.',
    'list jobs | by jobs.kind, jobs.price, garages.garage_name | where garages.garage_name = Nord',
  ],
  ['Show garages and their chief', 'list garages | by garages.garage_name, garages.chief'],
  ['List all garages with a rent above 100', 'list garages | by garages.garage_name | where garages.rent > 100'],
  ['List all garages with rent and chief above 100', 'refused'],
])('what is shown beside: %s', (question, brief) => expect(read(question)).toBe(brief));

test("a period may own what it is of: last year's jobs", () =>
  expect(read("last year's total price by kind")).toBe(
    'sum(jobs.price) | by jobs.kind | time jobs.taken_on 2023-01-01..2024-01-01',
  ));
