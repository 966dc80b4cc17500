// Questions, conversations and statements as long as a body allows don't delay other requests.
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { longestStall } from '../support/stalls.ts';

const app = await startTestApp();

const say = (...turns: string[]) => {
  const messages = turns.map((content) => ({ role: 'user', content }));
  return app.post('/v1/chat/completions', { model: 'svc/shop', messages });
};
const of = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const LONG = 'What was the revenue of customers with more than 5 orders in the West by region and segment '
  .repeat(12)
  .trim();
it('answers 20 conversations of 20 long turns at once without blocking the event loop', async () => {
  const turns = Array.from({ length: 20 }, (_, turn) => `and ${LONG.slice(turn)}`.split(' ').slice(0, 195).join(' '));
  expect(await longestStall(() => say(...turns, 'and in 2017?'))).toBeLessThan(1);
  const chats = Array.from({ length: 20 }, (_, n) =>
    say(...turns.map((turn) => `${turn} ${n}`), `and in ${2000 + n}?`),
  );
  const replies: { status: number }[] = [];
  expect(await longestStall(async () => void replies.push(...(await Promise.all(chats))))).toBeLessThan(1);
  for (const { status } of replies) expect(status).toBe(200);
});

/**
 * Characters that can join words or begin a word. UNITS contains each character alone, and after a letter, a digit and
 * a non-ASCII letter.
 */
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

it('interprets or refuses long runs of any character or word without blocking the event loop', async () => {
  const ask = async (unit: string, q: string) => {
    const stall = await longestStall(async () => {
      expect((await app.post('/v1/lenses/shop/query', { q })).status, unit).toBeLessThan(500);
    });
    return stall < 1 ? [] : [`${JSON.stringify(unit)} ${q.length} signs: ${stall.toFixed(1)}`];
  };
  const slowInputs: string[] = [];
  for (const unit of UNITS) {
    slowInputs.push(...(await ask(unit, of(unit, 10_000))));
    slowInputs.push(...(await ask(unit, of(unit, 1_900).split(' ').slice(0, 119).join(' '))));
  }
  expect(slowInputs).toEqual([]);
});

it('states the limits of a question, and reads a follow-up in the context of the previous turn', async () => {
  const tooMany = await app.post('/v1/lenses/shop/query', { q: of('revenue ', 1_200) });
  expect(tooMany.body.answer).toBe(
    'Ask one question in plain words, at most 2000 characters and 120 words. Split a longer question.',
  );
  const { body } = await say(...Array<string>(20).fill(LONG), 'What was revenue in the West in 2016?', 'and in 2017?');
  expect(body.svc.scope.time.from).toBe('2017-01-01');
  expect((await app.post('/v1/lenses/shop/query', { q: of('a', 10_001) })).status).toBe(422);
});

/** 1,990 metrics and definitions with names of three or four of the same forty words. */
const POOL =
  'net gross total monthly yearly regional online offline returned shipped open closed new old late early paid unpaid direct partner revenue profit cost margin units orders customers items visits hours tickets claims leads trips stops loads fees taxes grants hires'.split(
    ' ',
  );
let randomState = 5;
const word = (): string => {
  randomState = (randomState * 1_103_515_245 + 12_345) % 2_147_483_648;
  return POOL[Math.floor(randomState / 65_536) % POOL.length]!;
};
const NAMES = new Set<string>();
while (NAMES.size < 1_990) NAMES.add([word(), word(), word(), ...(NAMES.size % 3 === 0 ? [word()] : [])].join('_'));
const LARGE = [
  'name: large\ntitle: Large\ndescription: Names of many words.\nconnection: shop\ntimezone: UTC',
  'datasets:\n  orders:\n    source: main.orders\n    primary_key: [row_id]\n    fields: {row_id: {datatype: integer}, region: {datatype: string, values: auto}, sales: {datatype: decimal}}',
  'metrics:',
  ...[...NAMES]
    .slice(0, 995)
    .map((name) => `  ${name}: {expression: sum(orders.sales), synonyms: [${word()} ${word()} amount]}`),
  'definitions:',
  ...[...NAMES]
    .slice(995)
    .map(
      (name) => `  - {term: ${name.replaceAll('_', ' ')}, meaning: As agreed., synonyms: [${word()} ${word()} share]}`,
    ),
].join('\n');

it('F9: answers questions of 110 words on a lens with 1,990 similar names without blocking the event loop', async () => {
  const files = await loadProjectFolder(SHOP);
  const largeTenant = await app.addTenant('large', { ...files, 'lenses/large/lens.yaml': LARGE });
  const ask = (q: string) => app.post('/v1/lenses/large/query', { q }, largeTenant.adminToken);
  expect((await ask('how many orders are there?')).status).toBe(200);
  const text = (name: string): string => name.replaceAll('_', ' ');
  const all = [...NAMES];
  const join = (by: string, n: number, partAt: (at: number) => string): string =>
    Array.from({ length: n }, (_, at) => partAt(at))
      .join(by)
      .split(' ')
      .slice(0, 110)
      .join(' ');
  const questions = [
    join(' ', 110, word),
    join(' ', 30, (at) => text(all[at * 31]!)),
    join(' and ', 37, () => `${word()} ${word()}`),
    `show ${join(', ', 15, (at) => text(all[at * 29]!))} by region`,
    join(' by ', 28, () => `${word()} of ${word()}`),
    `average ${join(' by only ', 20, (at) => text(all[at * 37]!))}`,
    join(' ', 55, () => `${word()} ${word()}x`),
    // To propose a plan for the rest, svc interprets the question again without each of these parts.
    `${join(' and ', 30, (at) => text(all[at * 31]!))} by region zorply blimf`,
    `${join(' ', 30, (at) => text(all[at * 17]!))} where region is qwarz and flumox`,
  ];
  const late: string[] = [];
  for (const q of questions) {
    const stall = await longestStall(async () => expect((await ask(q)).status).toBe(200));
    if (stall >= 0.5) late.push(`${stall.toFixed(1)}: ${q.slice(0, 60)}`);
  }
  expect(late).toEqual([]);
  // The gap map interprets every unanswered question again.
  for (let at = 0; at < 40; at++) await ask(`${questions[at % questions.length]} gap${at}`);
  let gaps = 0;
  const stall = await longestStall(async () => {
    gaps = (await app.get('/mgmt/gap-map?limit=100', largeTenant.adminToken)).body.items.length;
  });
  expect(gaps).toBeGreaterThan(30);
  expect(stall).toBeLessThan(0.5);
});

it('F9: returns the context of a 4,000-character question without blocking the event loop', async () => {
  const term = 'revenue by region in a year and '.repeat(6).trim();
  const definition = { term, meaning: 'As agreed.' };
  expect((await app.admin('POST', '/semantic/definitions', definition)).status).toBe(201);
  const files = await loadProjectFolder(SHOP);
  const path = 'lenses/shop/lens.yaml';
  files[path] = files[path]!.replace('definitions:\n', `definitions:\n  - {term: "${term}", meaning: As agreed.}\n`);
  const wordyTenant = await app.addTenant('wordy', files);
  for (const unit of ['revenue by region in 2016 and ', '1,234.5 2016-01-31 7 ']) {
    const url = `/mgmt/lenses/shop/context?q=${encodeURIComponent(of(unit, 4_000))}`;
    for (const { adminToken } of [app, wordyTenant]) {
      const stall = await longestStall(async () => expect((await app.get(url, adminToken)).status).toBe(200));
      expect(stall, unit).toBeLessThan(0.5);
    }
  }
});

it('F5: refuses corrections that name no column of a wide lens without blocking the event loop', async () => {
  const sets = Array.from({ length: 30 }, (_, n) => n);
  const columns = Array.from({ length: 30 }, (_, n) => `${POOL[n]}_${n}: {datatype: string, expression: region}`);
  const lens = [
    'name: joined\ntitle: Joined\ndescription: Many columns.\nconnection: shop\ndatasets:',
    ...sets.map(
      (n) =>
        `  d${n}: {source: main.orders, primary_key: [row_id], fields: {row_id: {datatype: integer}, ${columns.join(', ')}}}`,
    ),
    'relationships:',
    ...sets.slice(1).map((n) => `  - {from: d${n}.row_id, to: d${n - 1}.row_id}`),
  ].join('\n');
  const files = await loadProjectFolder(SHOP);
  const joinedTenant = await app.addTenant('joined', { ...files, 'lenses/joined/lens.yaml': lens });
  const far = 'x'.repeat(9_900);
  const correct = Object.fromEntries(sets.slice(1).map((n) => [`join:d${n}.row_id`, far]));
  const stall = await longestStall(async () => {
    const { status, body } = await app.post('/mgmt/lenses/joined/facts', { correct }, joinedTenant.adminToken);
    expect([status, body.error.details.length]).toEqual([422, 10]);
  });
  expect(stall).toBeLessThan(0.5);
});

const nest = (depth: number, open: string, innermost: string) =>
  `${open.repeat(depth)}${innermost}${')'.repeat(depth)}`;
const joinParts = (count: number, part: (n: number) => string, by: string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(by);
const count = 'select count(*) as n from orders where ';
/** Statements with nested or adjacent tables, names and conditions, which the checks have to analyze. */
const STATEMENTS: Record<string, string> = {
  'nested IN': count + nest(30, 'row_id in (select row_id from orders where ', 'row_id > 0'),
  'nested IN in joins': `select count(*) from orders a join orders b on ${nest(15, 'a.row_id in (select a.row_id from orders a join orders b on ', 'a.row_id = b.row_id')}`,
  'nested EXISTS': count + nest(12, 'exists (select 1 from orders where ', 'row_id > 0'),
  'nested derived tables': `select count(*) from ${'(select * from '.repeat(60)}orders${') t'.repeat(60)}`,
  'nested scalar subqueries': `select ${'(select '.repeat(12)}1${' from orders limit 1)'.repeat(12)} as n`,
  'nested OR and AND': count + nest(60, '(row_id = 1 or row_id > 2 and ', 'row_id = 3'),
  'computed groups': `select ${joinParts(300, (n) => `row_id + ${n} as a${n}`, ', ')} from orders group by ${joinParts(300, (n) => `row_id + ${n}`, ', ')}`,
  'joins on many pairs of columns': `select * from orders o ${joinParts(20, (n) => `join orders o${n} on o.row_id = o${n}.row_id`, ' ')} where ${joinParts(600, (n) => `o${n % 20}.region = o${(n + 1) % 20}.region and o${n % 20}.sales = ${n}`, ' and ')}`,
  'nested unions': `select row_id from orders${' union all select row_id from orders'.repeat(60)}`,
};
it.each(Object.entries(STATEMENTS))(
  'G15: checks complex SQL without blocking the event loop: %s',
  async (_name, sql) => {
    let status = 0;
    const stall = await longestStall(async () => {
      status = (await app.post('/v1/sql', { sql, lens: 'shop', limit: 5 })).status;
    });
    expect([200, 422, 504]).toContain(status);
    expect(stall).toBeLessThan(1);
  },
);
