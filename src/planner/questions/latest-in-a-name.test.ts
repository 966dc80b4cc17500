// A column that is itself called the latest; a word for rows that is also an amount of other rows.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const club = lens('club', {
  datasets: [
    dataset(
      'guests',
      ['guest_id'],
      [
        field('guest_id', 'integer'),
        field('guest_name', 'string'),
        field('date_of_latest_visit', 'date'),
        field('latest_call', 'date', { synonyms: ['latest call date'] }),
        field('joined_on', 'date', { synonyms: ['joining date'] }),
      ],
    ),
    dataset('shows', ['show_id'], [field('show_id', 'integer'), field('hall', 'string'), field('booking', 'integer')]),
    dataset(
      'bookings',
      ['booking_id'],
      [
        field('booking_id', 'integer'),
        field('guest_id', 'integer'),
        field('show_id', 'integer'),
        field('seats', 'integer'),
      ],
    ),
  ],
  metrics: [],
  relationships: [
    relation('bookings', 'guest_id', 'guests', 'guest_id'),
    relation('bookings', 'show_id', 'shows', 'show_id'),
  ],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: club, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : `${found.kind}`;
};

test('A date that the lens calls the latest is asked for of each row', () => {
  expect(read('Find the latest call date of the guests')).toBe('list guests | by guests.latest_call');
  expect(read('What is the latest call date of each guest?')).toBe('list guests | by guests.latest_call');
});

test('The words of such a name in another order are no latest of all', () => {
  expect(read('Find the latest visit date of the guests')).toBe('refused');
  expect(read('Find the latest visit of the guests')).toBe('refused');
});

test('The latest of a date that is not called so is still one', () => {
  expect(read('Find the latest joining date of the guests')).toContain('joined_on');
  expect(read('Find the latest joining date of the guests')).not.toBe('list guests | by guests.joined_on');
});

test('Rows that are called as an amount of other rows are not shown for it', () => {
  expect(read('Show the bookings of the shows')).toBe('refused');
  expect(read('Show the bookings of all guests')).toContain('bookings');
});
