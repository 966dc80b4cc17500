// What was read wrongly in databases that nobody had planned for, each with the general cause: several dates of one thing,
// states named like events, names that are words, levels, keys, parts played, links in several ways.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const club = lens('club', {
  datasets: [
    dataset(
      'members',
      ['member_id'],
      [
        field('member_id', 'integer'),
        field('member_name', 'string', { values: ['Ann Lee', 'Returned', 'May Day'] }),
        field('country', 'string', { values: ['US', 'France'] }),
        field('plan', 'string', { values: ['annual', 'monthly', 'training'] }),
        field('guests', 'integer'),
      ],
      { synonyms: ['people'] },
    ),
    dataset(
      'coaches',
      ['coach_id'],
      [
        field('coach_id', 'integer'),
        field('coach_name', 'string', { values: ['Kim', 'Lou'] }),
        field('subject', 'string', { values: ['Yoga', 'Judo'] }),
        field('hired_on', 'date'),
      ],
    ),
    dataset(
      'bookings',
      ['booking_id'],
      [
        field('booking_id', 'integer'),
        field('started_on', 'date'),
        field('cancelled_on', 'date'),
        field('returned', 'date'),
        field('status', 'string', { values: ['cancelled', 'active'] }),
        field('amount', 'decimal'),
        field('approved', 'boolean'),
        field('distance_km', 'decimal', { unit: 'km' }),
      ],
      { timeField: 'started_on' },
    ),
    dataset(
      'courses',
      ['course_id'],
      [
        field('course_id', 'integer'),
        field('course_title', 'string', { values: ['Yoga I', 'Judo II'] }),
        field('subject', 'string', { values: ['Yoga', 'Judo'] }),
      ],
    ),
    dataset(
      'trainings',
      ['training_id'],
      [field('training_id', 'integer'), field('title', 'string', { values: ['Basics'] })],
    ),
    dataset('attendances', ['member_id', 'training_id'], [field('attended_on', 'date')], { timeField: 'attended_on' }),
    dataset('purchases', ['purchase_id'], [field('purchase_id', 'integer')]),
    dataset('reviews', ['review_id'], [field('review_id', 'integer')]),
  ],
  relationships: [
    relation('bookings', 'member_id', 'members', 'member_id'),
    relation('bookings', 'course_id', 'courses', 'course_id'),
    relation('members', 'home_coach_id', 'coaches', 'coach_id', 'home_coach'),
    relation('courses', 'coach_id', 'coaches', 'coach_id'),
    relation('attendances', 'member_id', 'members', 'member_id'),
    relation('attendances', 'training_id', 'trainings', 'training_id'),
    relation('purchases', 'member_id', 'members', 'member_id'),
    relation('reviews', 'member_id', 'members', 'member_id'),
  ],
  metrics: [metric('deposits', 'sum(bookings.amount)', 'bookings')],
});
const read = (question: string, context?: string[]) =>
  readQuestion({
    question,
    lens: club,
    choices: {},
    now: new Date('2024-06-30T12:00:00Z'),
    ...(context ? { context } : {}),
  });

describe('each period is about the event that it stands behind', () => {
  test.each([
    [
      'How many bookings were cancelled in 2023?',
      'count(bookings) | time bookings.cancelled_on 2023-01-01..2024-01-01',
    ],
    ['How many bookings were returned in 2023?', 'count(bookings) | time bookings.returned 2023-01-01..2024-01-01'],
    [
      'How many bookings that started in 2022 were cancelled in 2023?',
      'count(bookings) | where bookings.cancelled_on >= 2023-01-01 & bookings.cancelled_on < 2024-01-01 | time bookings.started_on 2022-01-01..2023-01-01',
    ],
    [
      'average guests of members who attended a training in 2023',
      'avg(members.guests) | where some attendances (attendances.attended_on >= 2023-01-01 & attendances.attended_on < 2024-01-01)',
    ],
    ['How many bookings in 2022 and 2023?', 'count(bookings) | time bookings.started_on 2022-01-01..2024-01-01'],
  ])('%s', (question, brief) => {
    const reading = read(question);
    expect(reading.kind === 'intent' ? intentBrief(reading.intent) : reading).toBe(brief);
  });

  test('a state that is an event too, beside a bare period, is asked back', () => {
    expect(read('cancelled bookings in 2023')).toMatchObject({ kind: 'clarification' });
  });
});

test.each([
  ['How many bookings were delivered in 2023?', 'there is no date of it'],
  ['amount of bookings in US in 2022 and in France in 2023', 'the periods belong to different conditions'],
  ['us members', 'us is no polite word here'],
  ['How many members have a training in May?', 'May is a month without a year'],
  ['number of members per coach', 'home coach or course coach was not said'],
  ['average member id', 'a key measures nothing'],
  ['amount per km', 'a ratio, not groups'],
  ['number of bookings by members from France', 'who booked, or a row for each?'],
  ['oldest coach', 'hired longest ago is not oldest'],
  ['returned bookings', 'the word restricts them'],
  ['members with a deposit over 100', 'one deposit, not the total'],
  ['guests and deposits by member', 'members without a deposit would lose their guests'],
])('is not answered: %s (%s)', (question) => {
  expect(read(question).kind).not.toBe('intent');
});

test('a word that names a dataset is not the stored value of that name', () => {
  const reading = read('How many members attended a training?');
  expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe('count(members) | where some attendances');
});

test('how many of a numeric field adds it up', () => {
  const reading = read('How many guests does Ann Lee have?');
  expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe(
    'sum(members.guests) | where members.member_name = Ann Lee',
  );
});

test('a value of a parent and of a related row alike is asked back', () => {
  expect(read('How many bookings in Yoga?')).toMatchObject({ kind: 'clarification' });
});

test('a follow-up by a state that is an event too is not joined to the period before', () => {
  expect(read('and cancelled?', ['How many bookings started in 2023?']).kind).not.toBe('intent');
});

test('a code is one word', () => {
  expect(read('How many members in 5A?').kind).not.toBe('intent');
});
