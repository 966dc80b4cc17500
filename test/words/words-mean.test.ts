// Words that restrict or quantify, through the front door: each is said by the plan, asked back about, or refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startWordsBench, type WordsBench } from './ask-words.ts';
import { wordQuestions } from './word-questions.ts';
import { WORLDS } from './worlds.ts';

let bench: WordsBench;
beforeAll(async () => {
  bench = await startWordsBench();
}, 120_000);
afterAll(() => bench?.close());

const ask = (q: string, choices?: Record<string, string>): Promise<Envelope> => bench.ask('superstore', q, choices);
const number = ({ data }: Envelope): number => Number(Object.values(data![0]!)[0]);
const check = ({ checks }: Envelope) => checks.find(({ name }) => name === 'words_mean');

describe('"only" of things with several rows each leaves out those with other rows', () => {
  test.each([
    ['how many customers bought only furniture', 3],
    ['how many customers bought just furniture', 3],
    ['how many customers bought solely furniture', 3],
    ['how many customers ordered only in 2016', 6],
    ['how many customers ordered only in the West', 10],
    ['how many orders had only furniture', 637],
    ['how many orders are all furniture', 637],
    ['how many products were sold only in the West', 59],
  ])('%s', async (q, truth) => {
    const envelope = await ask(q);
    expect(envelope, JSON.stringify(envelope)).toMatchObject({ status: 'answered' });
    expect(number(envelope)).toBe(truth);
    expect(check(envelope)).toMatchObject({ outcome: 'pass', critical: true });
  });

  test('and of rows that are measured it is the condition itself', async () => {
    const [only, plain] = [await ask('revenue only in the West'), await ask('revenue in the West')];
    expect(only.data).toEqual(plain.data);
    expect(check(only)?.detail).toBe('only: region is West');
    expect(check(plain)?.outcome).toBe('not_applicable');
  });

  test('beside another condition it is asked back, and each option leads to rows', async () => {
    const q = 'how many customers in the West bought only furniture';
    const back = await ask(q);
    expect(back).toMatchObject({ status: 'clarification', clarification: { term: 'only' } });
    const keys = back.clarification!.options.map((option) => (typeof option === 'string' ? option : option.key));
    const found = await Promise.all(keys.map(async (key) => [key, number(await ask(q, { only: key }))]));
    expect(Object.fromEntries(found)).toEqual({ always: 2, within: 45, some: 423 });
  });
});

test('"and" between values that no row has both of is not answered', async () => {
  expect((await ask('revenue in the West and Texas')).status).not.toBe('answered');
});

test.each([
  'how many customers bought every category',
  'customers who bought every category',
  'how many orders had each category',
  'how many customers bought each category',
  'revenue times 2',
  'how many customers mostly bought furniture',
  'profit not only in the West',
  'which orders had no furniture',
])('what no plan says is not answered: %s', async (q) => {
  expect((await ask(q)).status).not.toBe('answered');
});

test('a question with such a word is no certified question without it', async () => {
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
])('a composed reading does not prove what such a word says: %s', async (q) => {
  const [found] = await bench.run(wordQuestions(WORLDS, 2_000).filter((one) => one.q === q));
  expect(found).toMatchObject({ one: { q }, wrong: false });
});

test('of a spread of questions over three lenses, none that is verified is wrong', async () => {
  const asked = await bench.run(wordQuestions(WORLDS, 150));
  expect(asked.flatMap(({ one, envelope, wrong }) => (wrong ? [`${one.q}: ${envelope.scope?.sentence}`] : []))).toEqual(
    [],
  );
}, 120_000);
