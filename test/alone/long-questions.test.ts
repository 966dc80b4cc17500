// Questions and conversations as long as a body lets them be: nobody else waits for the one who sends them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longestStall } from '../support/stalls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const say = (...turns: string[]) => {
  const messages = turns.map((content) => ({ role: 'user', content }));
  return app.post('/v1/chat/completions', { model: 'svc/shop', messages });
};
const of = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const LONG = 'What was the revenue of customers with more than 5 orders in the West by region and segment '
  .repeat(12)
  .trim();
it('9.10: a conversation of 20 long turns holds nobody up, and twenty of them at once neither', async () => {
  const turns = Array.from({ length: 20 }, (_, turn) => `and ${LONG.slice(turn)}`.split(' ').slice(0, 195).join(' '));
  expect(await longestStall(() => say(...turns, 'and in 2017?'))).toBeLessThan(1);
  const chats = Array.from({ length: 20 }, (_, n) =>
    say(...turns.map((turn) => `${turn} ${n}`), `and in ${2000 + n}?`),
  );
  const replies: { status: number }[] = [];
  expect(await longestStall(async () => void replies.push(...(await Promise.all(chats))))).toBeLessThan(1);
  for (const { status } of replies) expect(status).toBe(200);
});

/** What joins, opens, repeats: alone, and behind a letter, a digit and a letter beyond ASCII. */
const SIGNS = [
  '-',
  '--',
  '/',
  '_',
  "'",
  '&',
  '.',
  ',',
  ':',
  '@',
  '(',
  '%',
  '$',
  '"',
  '–',
  '<',
  '\n',
  '+',
  '?',
  '#',
  ' ',
];
const UNITS = [
  ...SIGNS.flatMap((sign) => [sign, `a${sign}`, `1${sign}`, `é${sign}`]),
  ...["'a ", 'revenue ', 'revenue and ', 'revenue of ', 'West, ', '2016-01-01 ', '2016-01-', 'top 5 ', 'who ', 'ME '],
  ...['a-1_b/', 'REVENUE, ', 'q1-', '1e9', '\u{1f600}', 'a\u0301', '\u200b', 'a\'b"', 'not ', 'in 2016 and '],
];

it('9.10: ten thousand signs of whatever kind hold nobody up, and as many as are read neither', async () => {
  const ask = async (unit: string, q: string) => {
    const stall = await longestStall(async () => {
      expect((await app.post('/v1/lenses/shop/query', { q })).status, unit).toBeLessThan(500);
    });
    return stall < 1 ? [] : [`${JSON.stringify(unit)} ${q.length} signs: ${stall.toFixed(1)}`];
  };
  const late: string[] = [];
  for (const unit of UNITS) {
    late.push(...(await ask(unit, of(unit, 10_000))));
    late.push(...(await ask(unit, of(unit, 1_900).split(' ').slice(0, 119).join(' '))));
  }
  expect(late).toEqual([]);
});

it('9.10: limits of a question are said, with the way out; what was said just before still counts', async () => {
  const tooMany = await app.post('/v1/lenses/shop/query', { q: of('revenue ', 1_200) });
  expect(tooMany.body.answer).toBe(
    'Ask one question in plain words, at most 2000 characters and 120 words. Split a longer one.',
  );
  const { body } = await say(...Array<string>(20).fill(LONG), 'What was revenue in the West in 2016?', 'and in 2017?');
  expect(body.svc.scope.time.from).toBe('2017-01-01');
  expect((await app.post('/v1/lenses/shop/query', { q: of('a', 10_001) })).status).toBe(422);
});
