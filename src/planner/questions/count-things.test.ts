// Things split by categories or periods are counted; in the order of a name, a number or a day they could be listed.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const desk = lens('desk', {
  datasets: [
    dataset(
      'offices',
      ['office_id'],
      [field('office_id', 'integer'), field('office_name', 'string', { values: ['Oslo', 'Rome'] })],
    ),
    dataset(
      'tickets',
      ['ticket_id'],
      [
        field('ticket_id', 'integer'),
        field('title', 'string'),
        field('severity', 'string', { values: ['low', 'high'] }),
        field('opened_on', 'date'),
        field('solved_on', 'date'),
        field('hours', 'decimal', { unit: 'h', synonyms: ['hours spent'] }),
      ],
      { timeField: 'opened_on' },
    ),
    dataset('replies', ['reply_id'], [field('reply_id', 'integer'), field('tone', 'string', { values: ['kind'] })]),
  ],
  relationships: [
    relation('tickets', 'office_id', 'offices', 'office_id'),
    relation('replies', 'ticket_id', 'tickets', 'ticket_id'),
  ],
  metrics: [
    { ...metric('ticket_count', 'count(tickets.ticket_id)', 'tickets'), synonyms: ['tickets'] },
    {
      ...metric('total_hours', 'sum(tickets.hours)', 'tickets'),
      synonyms: ['hours spent'],
      timeField: { dataset: 'tickets', field: 'opened_on' },
    },
    { ...metric('high_tickets', 'count(tickets.ticket_id)', 'tickets'), filter: "tickets.severity = 'high'" },
  ],
  definitions: [
    {
      term: 'open ticket',
      synonyms: ['unsolved ticket'],
      meaning: 'Not solved.',
      filter: 'tickets.solved_on is null',
      metric: null,
      field: null,
      senses: [],
    },
  ],
});

const read = (question: string): string => {
  const reading = readQuestion({ question, lens: desk, choices: {}, now: new Date('2026-06-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['tickets by severity', 'ticket_count | by tickets.severity'],
  ['low tickets by office', 'ticket_count | by offices.office_name | key offices | where tickets.severity = low'],
  ['tickets by severity and month', 'ticket_count | by tickets.severity, tickets.opened_on.month'],
  ['replies by tone', 'count(replies) | by replies.tone'],
  ['replies by office', 'count(replies) | by offices.office_name | key offices'],
])('counted: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each(['list tickets by severity', 'tickets by hours', 'tickets by opened on', 'tickets by offices'])(
  'a list in that order, or a number for each, is not guessed: %s',
  (question) => {
    expect(read(question)).toBe('refused');
  },
);

test.each([
  ['tickets between 60 and 90 minutes', 'where tickets.hours between 1|1.5'],
  ['number of tickets between 90 and 120 minutes', 'where tickets.hours between 1.5|2'],
])('a range with its unit is about the field of that unit: %s', (question, part) => {
  expect(read(question)).toContain(part);
});
test.each(['tickets between 2 and 5', 'tickets between 2 and 5 miles', 'tickets between Oslo and Rome'])(
  'a range of nothing in particular is refused: %s',
  (question) => {
    expect(read(question)).toBe('refused');
  },
);

test.each([
  [
    'high hours spent 2025',
    'total_hours | where tickets.severity = high | time tickets.opened_on 2025-01-01..2026-01-01',
  ],
  [
    'compare hours spent of 2024 and 2025',
    'total_hours | by tickets.opened_on.year | time tickets.opened_on 2024-01-01..2026-01-01',
  ],
])('a year behind a measure is its period, even where rows have a field of that name: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test('a share of what is a part itself is of all such parts, or of each group: that must be said', () => {
  expect(read('share of high tickets by office')).toBe('refused');
});

test.each([
  ['How many open tickets are there?', 'ticket_count | where tickets.solved_on is_null'],
  ['open tickets by office', 'ticket_count | by offices.office_name | key offices | where tickets.solved_on is_null'],
  [
    'unsolved tickets with high severity',
    'list tickets | by tickets.title | where tickets.severity = high & tickets.solved_on is_null',
  ],
  ['hours spent on open tickets', 'total_hours | where tickets.solved_on is_null'],
])('a governed term that holds its noun names the things too: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
