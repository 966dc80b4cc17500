// What is not answered, and what is asked back instead.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { flights, ledger, school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const now = new Date('2017-12-31T12:00:00Z');
const LENSES = { superstore, flights, shop, school, ledger };
type Name = keyof typeof LENSES;
const read = (lens: Name, question: string, choices: Record<string, string> = {}, context?: string[]) =>
  readQuestion({ question, lens: LENSES[lens], choices, now, ...(context ? { context } : {}) });

const REFUSED: [lens: Name, question: string, word: string][] = [
  ['superstore', 'Which supplier is cheapest?', 'supplier'],
  ['superstore', 'Why did revenue fall in 2016?', 'Why'],
  ['superstore', 'Predict revenue for 2018', 'Predict'],
  ['superstore', 'What should revenue be?', 'should'],
  ['superstore', 'median revenue by region', 'median'],
  ['superstore', 'revenue in euros', 'euros'],
  ['superstore', 'revenue in thousands', 'thousands'],
  ['superstore', 'my revenue', 'my'],
  ['superstore', 'number of order lines from the US by state', 'US'],
  ['superstore', 'revenue target by region', 'target'],
  ['superstore', 'revenue by planet', 'planet'],
  ['superstore', 'revenue in Atlantis', 'Atlantis'],
  ['superstore', 'revenue near California', 'near'],
  ['superstore', 'shipping revenue', 'shipping'],
  ['superstore', 'average revenue per region', 'average'],
  // Of each, or what is found in all of them.
  ['superstore', 'customers in every region', 'every region'],
  ['superstore', 'products sold in every state', 'every state'],
  ['superstore', 'customers who bought in every category', 'every category'],
  // A row for each of them, or divided by how many there are.
  ['superstore', 'revenue per customer by region', 'per customer'],
  ['superstore', 'orders per customer by segment', 'per customer'],
  ['superstore', 'revenue on Monday', 'Monday'],
  ['superstore', 'revenue by hour', 'hour'],
  ['superstore', 'revenue by region or state', 'or'],
  ['superstore', 'net revenue', 'net'],
  ['superstore', 'revenue excluding returns', 'returns'],
  ['superstore', 'revenue on Feb 30 2016', 'on Feb 30 2016 (there is no such date)'],
  ['superstore', 'revenue in March', 'in March (the year is missing)'],
  ['superstore', 'revenue on 3/4/2016', 'day and month cannot be told apart'],
  ['superstore', 'revenue of the top 5 states', 'the top 5 states'],
  ['superstore', 'number of customers who bought both Chairs and Tables', 'both Chairs and Tables'],
  ['superstore', 'revenue by customer name', 'customer_name'],
  ['superstore', 'How many states have revenue over 100000?', 'revenue'],
  ['superstore', 'share of revenue by category in the West', 'West'],
  ['superstore', 'what is the discount', 'discount'],
  ['flights', 'longest flight', 'longest flight'],
  ['flights', 'flights with a delay over 2 kilograms', 'delay'],
  ['superstore', 'states with quantity over 5', 'quantity over 5'],
  ['shop', 'revenue by category', 'category'],
  ['shop', 'products cheaper than 50 dollars', 'dollars'],
  ['shop', 'list orders by status', 'status'],
  ['shop', 'customers who ordered in 2015 but not in 2016', '2016'],
  ['shop', 'customers who complained', 'complained'],
  ['school', 'which teacher teaches the fewest courses', 'the fewest courses'],
  ['school', 'students in the swimming club', 'swimming'],
];

describe('a word that could change the number and that nothing accounts for is refused by name', () => {
  test.each(REFUSED)('%s: %s', (lens, question, word) => {
    const reading = read(lens, question);
    expect(reading.kind).toBe('refused');
    if (reading.kind === 'refused') expect(reading.words.join(' ')).toContain(word);
  });
  test('a question too long to be read whole is refused, never read in part', () => {
    expect(read('superstore', `revenue in the West ${'please '.repeat(400)}`).kind).toBe('refused');
  });
});

const ASKED: [lens: Name, question: string, kind: string, term: string, options: string[]][] = [
  ['superstore', 'What is our margin?', 'ambiguous_term', 'margin', ['profit', 'ratio']],
  ['flights', 'average delay by city', 'ambiguous_term', 'city', ['origin.city', 'destination.city']],
  ['flights', 'number of flights in Boston', 'ambiguous_term', 'Boston', ['origin.city', 'destination.city']],
  ['flights', 'airports in New York', 'ambiguous_term', 'New York', ['airports.city', 'airports.state']],
  ['flights', 'number of flights from Bostn', 'unknown_value', 'airports.city', ['Boston', 'Chicago', 'New York']],
  ['ledger', 'total amount in Esat', 'unknown_value', 'entries.region', ['East', 'West']],
  ['superstore', 'order lines without discount', 'ambiguous_term', 'without discount', ['missing', 'zero']],
  ['superstore', 'Revenue in the Nort region', 'unknown_value', 'orders.region', ['East', 'South', 'West', 'Central']],
  ['school', 'students named Ann Kaye', 'unknown_value', 'student.last_name', ['Kay', 'Lee']],
  ['shop', 'customers named "Globx"', 'unknown_value', 'customers.name', ['Globex', 'Acme']],
];
describe('two readings with different numbers, or a value that is not there, are asked back', () => {
  test.each(ASKED)('%s: %s', (lens, question, kind, term, options) => {
    const reading = read(lens, question);
    expect(reading.kind).toBe('clarification');
    if (reading.kind !== 'clarification') return;
    const { clarification } = reading;
    expect([clarification.kind, clarification.term]).toEqual([kind, term]);
    expect(clarification.options.map((option) => (typeof option === 'string' ? option : option.key))).toEqual(options);
  });
  test('a near spelling is offered first and never applied', () => {
    const reading = read('superstore', 'revenue in the Wst region');
    expect(reading.kind === 'clarification' && reading.clarification.options[0]).toBe('West');
  });
});

test('of many meanings the first that lead on are offered, and how many more there are is said', () => {
  const sides = Array.from({ length: 11 }, (_, n) => `stop${n}`);
  const relationships = sides.map((side) => ({
    ...flights.relationships[0]!,
    role: side,
    from: { dataset: 'flights', columns: [`${side}_code`] },
  }));
  const lens = { ...flights, relationships };
  const ask = (choices: Record<string, string>) =>
    readQuestion({ question: 'number of flights by city', lens, choices, now });
  const back = ask({});
  if (back.kind !== 'clarification') throw new Error(back.kind);
  const { term, options, message } = back.clarification;
  expect(options).toHaveLength(8);
  expect(message).toContain('There are 3 more; say one of them in the question.');
  for (const option of options)
    expect(ask({ [term]: typeof option === 'string' ? option : option.key }).kind).toBe('intent');
});
test('values that are stored are not offered where none of them leads to an answer', () => {
  const masked = flights.datasets.map((one) =>
    one.name === 'airports'
      ? { ...one, fields: one.fields.map((each) => ({ ...each, masked: each.name === 'state' })) }
      : one,
  );
  const reading = readQuestion({
    question: 'number of flights from Bostn by origin state',
    lens: { ...flights, datasets: masked },
    choices: {},
    now,
  });
  expect(reading.kind).toBe('refused');
});

const CHOSEN: [lens: Name, question: string, choices: Record<string, string>, brief: string][] = [
  ['superstore', 'What is our margin?', { margin: 'ratio' }, 'profit_ratio'],
  ['flights', 'average delay by city', { city: 'origin.city' }, 'average_delay | by origin.city'],
  ['superstore', 'Revenue in the Nort region', { 'orders.region': 'West' }, 'revenue | where orders.region = West'],
];
describe('a choice answers the question that was asked back', () => {
  test.each(CHOSEN)('%s: %s', (lens, question, choices, brief) => {
    const reading = read(lens, question, choices);
    expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe(brief);
  });
});

const FOLLOWED: [question: string, before: string, brief: string][] = [
  [
    'and by segment?',
    'revenue by region in 2016',
    'revenue | by orders.region, orders.segment | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['only the West', 'revenue by region', 'revenue | by orders.region | where orders.region = West'],
  ['what about 2015?', 'revenue in 2016', 'revenue | time orders.order_date 2015-01-01..2016-01-01'],
  ['what about profit?', 'revenue by region', 'profit | by orders.region'],
  ['by state instead', 'revenue by region', 'revenue | by orders.state'],
  ['and in the East?', 'revenue in the West', 'revenue | where orders.region = East'],
  ['how many customers?', 'revenue by region', 'customers'],
];
describe('a follow-up changes the question before it and says what was carried over', () => {
  test.each(FOLLOWED)('%s', (question, before, brief) => {
    const reading = read('superstore', question, {}, [before]);
    expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe(brief);
    const standsAlone = question === 'how many customers?';
    expect(reading.kind === 'intent' && reading.notes.some((note) => note.includes(before))).toBe(!standsAlone);
  });
  test('a follow-up with a word nothing accounts for is refused', () => {
    expect(read('superstore', 'and by planet?', {}, ['revenue by region']).kind).toBe('refused');
  });
});

describe('every word of an answered question is accounted for', () => {
  test('the words and what they were taken for come with the reading', () => {
    const reading = read('superstore', 'What was revenue in the West in 2016?');
    expect(reading.kind === 'intent' && reading.words.map(({ text, as }) => `${text}: ${as}`)).toEqual([
      'What: question',
      'was: filler',
      'revenue: metric',
      'in: link',
      'the: filler',
      'West: value',
      'in 2016: time',
      '?: punctuation',
    ]);
  });
  test('a value that an incomplete dictionary cannot prove is left to be proven', () => {
    const reading = read('school', 'teachers with the nickname "Zed"');
    expect(reading.kind === 'intent' && reading.unproven).toEqual([
      { path: 'teacher', field: 'nickname', value: 'Zed' },
    ]);
  });
  test('a synonym that was applied is named in the notes', () => {
    const reading = read('superstore', 'revenue in IN');
    expect(reading.kind === 'intent' && reading.notes).toContain('"IN" was read as Indiana by synonym.');
  });
});

// A word put anywhere into a question that was read must change the reading or end it.
const MEANINGFUL =
  'online average not half double excluding except most previous minus net used made given found new share no 100'.split(
    ' ',
  );
describe('a word put into a question never goes unnoticed', () => {
  test.each([
    'What was revenue in the West in 2016?',
    'revenue by segment',
    'How many customers bought furniture in Texas?',
  ])('%s', (question) => {
    const brief = (asked: string) => {
      const reading = read('superstore', asked);
      return reading.kind === 'intent' ? intentBrief(reading.intent) : null;
    };
    const plain = brief(question);
    expect(plain).not.toBeNull();
    const parts = question.split(' ');
    const unnoticed = MEANINGFUL.flatMap((word) =>
      [...parts, ''].map((_part, at) => [...parts.slice(0, at), word, ...parts.slice(at)].join(' ').trim()),
    ).filter((asked) => brief(asked) === plain);
    expect(unnoticed).toEqual([]);
  });
});
