import { expect, test } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startWordsBench } from './ask-words.ts';
import { wordQuestions } from './word-questions.ts';
import { WORLDS } from './worlds.ts';

const bench = await startWordsBench();

const ask = (q: string, choices?: Record<string, string>): Promise<Envelope> => bench.ask('superstore', q, choices);
const check = ({ checks }: Envelope) => checks.find(({ name }) => name === 'words_mean');

test('reads “only” as the condition itself if it restricts the measured rows', async () => {
  const [only, plain] = [await ask('revenue only in the West'), await ask('revenue in the West')];
  expect(only.data).toEqual(plain.data);
  expect(check(only)?.detail).toBe('only: region is West');
  expect(check(plain)?.outcome).toBe('not_applicable');
});

test('reads “either” as a choice between the values, and grades the answer partial', async () => {
  const [either, plain] = [
    await ask('revenue in either the West or the East'),
    await ask('revenue in the West or East'),
  ];
  expect(either.data).toEqual(plain.data);
  expect([either.confidence, check(either)?.detail]).toEqual(['partial', 'either: one of the two']);
  expect((await ask('revenue of either region')).status).not.toBe('answered');
});

test('doesn’t answer a question with “and” between two values that no row has together', async () => {
  expect((await ask('revenue in the West and Texas')).status).not.toBe('answered');
});

test.each([
  'how many customers bought only furniture',
  'how many customers bought just furniture',
  'how many customers ordered only in 2016',
  'how many customers ordered only in the West',
  'how many orders had only furniture',
  'how many orders are all furniture',
  'how many customers in the West bought only furniture',
  'how many customers bought every category',
  'customers who bought every category',
  'how many orders had each category',
  'how many customers bought each category',
  'revenue times 2',
  'how many customers mostly bought furniture',
  'profit not only in the West',
  'which orders had no furniture',
])('doesn’t answer a restriction that no plan can express: %s', async (q) => {
  expect((await ask(q)).status).not.toBe('answered');
});

test('matches no certified question that lacks the restricting word', async () => {
  expect((await ask('What is revenue by region?')).certification).toBe('certified');
  for (const q of [
    'What is only revenue by region?',
    'What is all revenue by region?',
    'What is revenue by region only?',
  ])
    expect((await ask(q)).certification, q).not.toBe('certified');
});

test.each([
  'how many orders never are Technology',
  'how many orders are no Technology',
  'which accounts have paid invoices solely in 2023',
])('gives no wrong verified answer to a question with a restricting word: %s', async (q) => {
  const [found] = await bench.run(wordQuestions(WORLDS, 2_000).filter((wordQuestion) => wordQuestion.q === q));
  expect(found).toMatchObject({ one: { q }, wrong: false });
});

test('grades no wrong answer verified in a sample of questions over three lenses', async () => {
  const asked = await bench.run(wordQuestions(WORLDS, 150));
  expect(asked.flatMap(({ one, envelope, wrong }) => (wrong ? [`${one.q}: ${envelope.scope?.sentence}`] : []))).toEqual(
    [],
  );
}, 120_000);
