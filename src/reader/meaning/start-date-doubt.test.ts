import { expect, test } from 'vitest';
import { planBrief } from '../../../test/support/plan-brief.ts';
import { dataset, field, lens as lensOf } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

/** Interprets a question about a table with one date, which the lens doesn't declare as the default date. */
const readQuestionAboutTable = (table: string, date: string, question: string): string => {
  const lens = lensOf('one', {
    datasets: [dataset(table, ['id'], [field('id', 'integer'), field(date, 'date')])],
    relationships: [],
    metrics: [],
  });
  const reading = readQuestion({ question, lens, choices: {}, now: new Date('2024-06-30') });
  return reading.kind === 'plan' ? `${reading.doubt ? 'partial' : 'proven'} ${planBrief(reading.plan)}` : reading.kind;
};

test.each([
  ['visitors', 'birth_date'],
  ['employees', 'hired_on'],
  ['patients', 'dob'],
  ['wholesalers', 'founded_on'],
  ['members', 'joined_on'],
])('asks for clarification about %s in a year if their only date is %s', (table, date) => {
  expect(readQuestionAboutTable(table, date, `how many ${table} in 2023`)).toBe('clarification');
});
test.each([
  ['trips', 'sold_on'],
  ['sales', 'sold_on'],
  ['exams', 'exam_date'],
])('reads %s in a year by their %s', (table, date) => {
  expect(readQuestionAboutTable(table, date, `how many ${table} in 2023`)).toContain(date);
});

test.each([
  'number of bookings with status refunded in 2023',
  'number of bookings with status refunded and channel web in 2023',
  'number of bookings with status refunded or with channel web in 2023',
])('never applies the period of a state with its own date to another date: %s', (question) => {
  const text = (name: string, values: string[]) => field(name, 'string', { values });
  const fields = [
    ...[field('id', 'integer'), field('booked_on', 'date'), field('refunded_on', 'date')],
    ...[text('status', ['refunded', 'open']), text('channel', ['web', 'phone'])],
  ];
  const lens = lensOf('one', {
    datasets: [dataset('bookings', ['id'], fields, { timeField: 'booked_on' })],
    relationships: [],
    metrics: [],
  });
  expect(readQuestion({ question, lens, choices: {}, now: new Date('2024-06-30') }).kind).toBe('refused');
});
