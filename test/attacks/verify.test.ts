import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import type { VerificationVerdict } from '../../src/contract/verify.ts';
import { startTestApp } from '../support/app.ts';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));

const ask = async (q: string, extraMembers: object = {}): Promise<Envelope> =>
  (await sample.post<Envelope>('/v1/lenses/superstore/query', { q, ...extraMembers })).body;
const sample = await startTestApp({ project: SAMPLE });
const answer: Envelope = await ask('What was revenue by region in 2016?');
const verify = async (body: object) => (await sample.post<VerificationVerdict>('/v1/verify', body)).body;

describe('verification fails for a text', () => {
  it('whose rows are all forged, or have one forged cell', async () => {
    const { receipt, data } = answer;
    const text = 'Revenue in the West was 9,999,999.';
    const rows = data!.map((row, at) => (at === 0 ? { ...row, revenue: 9999999 } : row));
    for (const forged of [[{ region: 'West', revenue: 9999999 }], rows])
      expect(await verify({ receipt, rows: forged, text })).toMatchObject({
        ok: false,
        receipt: { ok: true },
        numbers: [{ text: '9,999,999', value: null, row: null }],
      });
  });

  it('with some of the rows of a truncated answer', async () => {
    const cut = await ask('list the order id and order date of orders');
    expect(cut.truncated).toBeDefined();
    const { receipt, data } = cut;
    const fewer = data!.slice(0, 2);
    const text = `There are ${fewer.length} rows.`;
    expect(await verify({ receipt, rows: fewer, text })).toMatchObject({ ok: false, rows: 'unknown' });
    expect(await verify({ receipt, rows: fewer })).toMatchObject({ ok: false, rows: 'unknown' });
  });

  it('without rows', async () => {
    const { receipt } = answer;
    expect(await verify({ receipt, text: 'Revenue in the West was 9,999,999.' })).toMatchObject({
      ok: false,
      rows: 'unknown',
      receipt: { ok: true },
    });
    expect(await verify({ receipt })).toMatchObject({ ok: false, rows: 'unknown' });
  });

  it.each([
    'USD9999999',
    '9999999USD',
    '1e9',
    '_9999999_',
    '９９９９９９９',
    '9.999.999,00',
    'nine million',
    '2016 orders',
    '9 999 999',
    "9'999'999",
    'neun Millionen',
    '٩٩٩٩',
    '9\u200b999\u200b999',
    'half of all',
    'Q4',
    '**9,999,999**',
    '½',
    'two hundred',
    '九百万',
    'twice',
    '9 lakh',
    'ninety-nine',
    '$9,99',
    '9x',
    '-9-9',
  ])('with genuine rows and the false figure %s', async (writtenNumber) => {
    const { receipt, data } = answer;
    const verdict = await verify({ receipt, rows: data, text: `Revenue in the West was ${writtenNumber}.` });
    expect(verdict).toMatchObject({ ok: false, rows: 'match', receipt: { ok: true } });
    expect(verdict.numbers.map(({ value }) => value)).toContain(null);
  });

  it('that contains no number of the answer', async () => {
    const { receipt, data } = answer;
    expect(await verify({ receipt, rows: data, text: 'The West made the most.' })).toMatchObject({
      ok: false,
      not_proven: ['the text: it contains no number from the answer'],
    });
  });
});

describe('verification succeeds', () => {
  it('for a text in other words about genuine rows', async () => {
    const { receipt, data } = answer;
    const [first, second] = data!.map(({ region, revenue }) => ({ region, revenue: Number(revenue) }));
    const text =
      `In 2016 (2016-01-01 to 2016-12-31) the ${first!.region} made $${first!.revenue.toFixed(2)}, the ${second!.region} ` +
      `**${Math.round(second!.revenue / 1000)} thousand**; the ${data!.length} regions are all there are.`;
    const verdict = await verify({ receipt, rows: data, text });
    expect([verdict.numbers.filter(({ value }) => value === null), verdict.ok]).toEqual([[], true]);
  });
});

describe('a claim in the envelope of an answer', () => {
  const around = (scope: object, extraMembers: object = {}) => ({
    answer: { ...answer, ...extraMembers, scope: { ...answer.scope!, ...scope } },
  });

  it.each<[string, () => object]>([
    ['names', () => around({ row_policies: Array(200_000).fill(' ') }, { answer: ' '.repeat(5_000) })],
    ['values', () => around({ filters: [{ field: 'a', op: 'in', values: Array(100_000).fill('x1') }] })],
    ['joins of no text', () => around({ joins: Array(30_000).fill(1) })],
    ['columns', () => around({}, { columns: Array(3_000).fill({ name: 'a' }) })],
  ])('is refused when it is too large or malformed: %s', async (_what, body) => {
    const reply = await sample.post('/v1/verify', body());
    expect([reply.status, reply.body.error.code]).toEqual([422, 'invalid']);
    expect(reply.body.error.details.length).toBeLessThan(20);
  });

  it.each(['x', '', '2016-13-45'])('is refused when its date is not a date: %j', async (to) => {
    const time = { ...answer.scope!.time!, to };
    expect((await sample.post('/v1/verify', around({ time }))).status).toBe(422);
  });

  it('proves no number, even when someone adds names, filters or a sentence', async () => {
    const filters = [{ field: 'orders.note', op: '=', values: [9999999, 'worth 9,999,999'] }];
    const verdict = await verify({
      ...around({ filters, sentence: 'Revenue of 9,999,999.', row_policies: ['9,999,999'] }),
      text: 'Revenue of 9,999,999, worth 9,999,999.',
    });
    expect(verdict).toMatchObject({ ok: false, mismatches: ['scope: differs from the served answer'] });
    expect(verdict.numbers.map(({ value }) => value)).toEqual([null, null]);
  });

  it('does not block the event loop, however long names, sentence and text are within their limits', async () => {
    const names = Array(2_000).fill(' '.repeat(3));
    const body = around({ row_policies: names.slice(0, 1_000) }, { answer: ' '.repeat(90_000) });
    let [rounds, worst, last] = [0, 0, performance.now()];
    const beat = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
      rounds++;
    }, 5);
    const text = `${'1 '.repeat(150)}${'.'.repeat(9_000)}${'1.'.repeat(4_000)}`;
    await verify({ ...body, text });
    await verify({ receipt: answer.receipt, rows: answer.data, text });
    clearInterval(beat);
    expect(rounds).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1_000);
  });
});
