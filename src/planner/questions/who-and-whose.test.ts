// Who is asked for, whose date a verb names, and whose field an apostrophe says.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const inn = lens('inn', {
  datasets: [
    dataset('houses', ['house_id'], [field('house_id', 'integer'), field('house_name', 'string', { values: ['Elm'] })]),
    dataset(
      'staff',
      ['staff_id'],
      [
        field('staff_id', 'integer'),
        field('full_name', 'string'),
        field('salary', 'decimal'),
        field('hired_on', 'date'),
        field('left_on', 'date', { synonyms: ['left'] }),
      ],
      { timeField: 'hired_on', synonyms: ['workers'] },
    ),
    dataset(
      'rooms',
      ['room_id'],
      [
        field('room_id', 'integer'),
        field('room_number', 'string'),
        field('room_type', 'string', { values: ['Suite', 'Double'] }),
      ],
    ),
    dataset(
      'visitors',
      ['visitor_id'],
      [
        field('visitor_id', 'integer'),
        field('visitor_name', 'string'),
        field('email', 'string'),
        field('signed_up', 'date'),
      ],
      { timeField: 'signed_up' },
    ),
    dataset(
      'stays',
      ['stay_id'],
      [field('stay_id', 'integer'), field('arrival', 'date'), field('departed_on', 'date'), field('price', 'decimal')],
      { timeField: 'arrival' },
    ),
    dataset(
      'charges',
      ['charge_id'],
      [
        field('charge_id', 'integer'),
        field('amount', 'decimal'),
        field('charged_on', 'date'),
        field('paid_on', 'date', { synonyms: ['paid'] }),
      ],
      { timeField: 'charged_on' },
    ),
  ],
  relationships: [
    relation('staff', 'house_id', 'houses', 'house_id'),
    relation('staff', 'boss_id', 'staff', 'staff_id', 'boss'),
    relation('visitors', 'brought_by', 'visitors', 'visitor_id', 'sponsor'),
    relation('stays', 'room_id', 'rooms', 'room_id'),
    relation('stays', 'visitor_id', 'visitors', 'visitor_id'),
    relation('charges', 'stay_id', 'stays', 'stay_id'),
  ],
  metrics: [
    {
      ...metric('charged', 'sum(charges.amount)', 'charges'),
      timeField: { dataset: 'charges', field: 'charged_on' },
    },
    metric('top_price', 'max(stays.price)', 'stays'),
  ],
});

const read = (question: string): string => {
  const reading = readQuestion({ question, lens: inn, choices: {}, now: new Date('2026-06-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

describe('who is asked for', () => {
  test.each([
    ['Who left in 2025?', 'list staff | by staff.full_name | time staff.left_on 2025-01-01..2026-01-01'],
    ['Who was hired in 2023?', 'list staff | by staff.full_name | time staff.hired_on 2023-01-01..2024-01-01'],
    ['Who has the highest salary?', 'list staff | by staff.full_name | order staff.salary desc | limit 1'],
    ['Who has no boss?', 'list staff | by staff.full_name | where boss.staff_id is_null'],
    ['Who earns more than 50000?', 'list staff | by staff.full_name | where staff.salary > 50000'],
    ['Who has no email?', 'list visitors | by visitors.visitor_name | where visitors.email is_null'],
  ])('a name is given, never a day or an amount: %s', (question, brief) => {
    expect(read(question)).toBe(brief);
  });

  test.each([
    'Who departed the most?',
    'Who paid the most?',
    'Who charged the most stays?',
    'Who is best?',
    'Who is the boss of Ann?',
  ])('what people do to others is not read by halves: %s', (question) => {
    expect(read(question)).toBe('refused');
  });
});

describe('whose date a verb names', () => {
  test.each([
    ['charged for visitors who signed up in 2025', 'visitors.signed_up'],
    ['charged for stays departed in 2025', 'stays.departed_on'],
    ['charged in 2025', 'charges.charged_on'],
  ])('that of the thing before it, however far it is: %s', (question, date) => {
    expect(read(question)).toContain(`time ${date} 2025-01-01..2026-01-01`);
  });

  test('a verb in front of its noun is no date', () => {
    expect(read('highest paid worker')).toBe('refused');
  });

  test('a verb with a date and nothing that it happened to lists no days', () => {
    expect(read('departed in 2024')).toBe('refused');
  });
});

describe('nothing that was asked for goes missing', () => {
  test('what belongs to somebody is shown beside them, and nobody is left out for having none', () => {
    expect(read("list the workers with their boss's full name")).toBe(
      'list staff | by boss.full_name, staff.full_name',
    );
  });

  test('a place asked for behind an amount is no filler', () => {
    expect(read('What was the top price in 2025 and in which room?')).toBe('refused');
  });

  test('the number of something is not the number on its door', () => {
    expect(read('number of suites')).not.toContain('room_number');
  });

  test('a question that breaks off behind its noun is no fault of ours', () => {
    expect(read('stays without charge, how many')).toBe('refused');
  });
});
