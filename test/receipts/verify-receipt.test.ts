import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../src/ask/present/number-format.ts';
import type { Envelope } from '../../src/contract/ask.ts';
import type { VerificationVerdict } from '../../src/contract/verify.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { runSvc } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));
const folder = await temporaryFolder();
const shop = await startTestApp();
const sample = await startTestApp({ project: SAMPLE });
const url = await shop.listen();

const ask = async (q: string, extraMembers: object = {}, app = shop, lens = 'shop'): Promise<Envelope> =>
  (await app.post<Envelope>(`/v1/lenses/${lens}/query`, { q, ...extraMembers })).body;
const verify = async (presented: unknown, app = shop) => (await app.post('/v1/verify-receipt', presented)).body;

/** Runs `svc verify-receipt` on a file with this content. */
async function command(savedAnswer: unknown, ...flags: string[]): Promise<{ code: number | null; said: string }> {
  const file = join(folder, 'answer.json');
  await writeFile(file, JSON.stringify(savedAnswer));
  const child = runSvc(['verify-receipt', file, ...flags], { SVC_BASE_URL: url, SVC_TOKEN: shop.callerKey });
  let output = '';
  child.stdout!.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr!.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said: output };
}
const QUESTION = 'What was revenue by region in 2016?';

describe('svc verify-receipt on a saved answer', () => {
  it('RCP-07: reports that rows and sentence are as svc served them', async () => {
    const { code, said } = await command(await ask(QUESTION));
    expect([code, said]).toEqual([0, expect.stringContaining('Rows: unchanged since svc served them.')]);
    expect(said).toContain(QUESTION);
  }, 60_000);

  it('names a changed number in the rows or in the sentence, and exits with 1', async () => {
    const answer = await ask('What was revenue in the West in 2016?');
    const [row] = answer.data!;
    const was = String(row!['revenue']);
    const edited = {
      ...answer,
      data: [{ ...row, revenue: Number(was) + 1000 }],
      answer: answer.answer!.replace(Number(was).toLocaleString('en-US'), (Number(was) + 1000).toLocaleString('en-US')),
    };
    expect(edited.answer).not.toBe(answer.answer);
    const { code, said } = await command(edited);
    expect(code).toBe(1);
    expect(said).toMatch(/Signature: valid/);
    expect(said).toMatch(/Differs: data: the rows differ from the served rows/);
    // Here, the rows are genuine and only the sentence is edited.
    const told = await command({ ...edited, data: answer.data });
    expect(told.code).toBe(1);
    expect(told.said).toMatch(/Differs: answer: /);
  }, 60_000);

  it('names each other changed member of the answer', async () => {
    const answer = await ask(QUESTION);
    const { code, said } = await command({
      ...answer,
      ...{ confidence: 'partial', row_count: 7, sql: `${answer.sql} `, parameters: { year: 1 }, data_as_of: null },
      question: 'What was profit by region in 2016?',
    });
    expect(code).toBe(1);
    for (const name of ['confidence', 'row_count', 'sql', 'parameters', 'data_as_of', 'question'])
      expect(said).toContain(`Differs: ${name}: `);
  }, 60_000);

  it('names changed words, units, scope and citations', async () => {
    const answer = await ask(QUESTION);
    const edits: Partial<Envelope>[] = [
      { answer: answer.answer!.replace('West', 'Texas') },
      { columns: answer.columns!.map((column) => ({ ...column, unit: 'EUR' })) },
      { scope: { ...answer.scope!, sentence: 'Revenue by region in 2017.' } },
      { citations: [] },
    ];
    for (const edit of edits) {
      const [name] = Object.keys(edit);
      const { code, said } = await command({ ...answer, ...edit });
      expect([code, said], name).toEqual([
        1,
        expect.stringContaining(`Differs: ${name}: differs from the served answer.`),
      ]);
    }
    const structured = await command(await ask(QUESTION, { format: 'structured' }));
    expect([structured.code, structured.said]).toEqual([0, expect.not.stringContaining('Differs')]);
    // A sentence without rows proves nothing about the rows.
    const prose = await command(await ask(QUESTION, { format: 'prose' }));
    expect([prose.code, prose.said]).toEqual([1, expect.not.stringContaining('Differs')]);
    expect(prose.said).toContain('Not proven: data');
  }, 60_000);

  it('doesn’t report rows that the return cap left out as proven', async () => {
    const cutAnswer = await ask('revenue by customer id');
    expect(cutAnswer.truncated).toEqual({ returned: 5, total: 7 });
    const { code, said } = await command(cutAnswer);
    expect([code, said]).toEqual([1, expect.stringContaining('data not compared: the answer has 5 of 7 rows')]);
    // The receipt alone verifies, and the JSON says so too.
    const alone = await command(cutAnswer.receipt, '--json');
    expect([alone.code, JSON.parse(alone.said)]).toEqual([
      0,
      expect.objectContaining({ ok: true, signature: 'valid' }),
    ]);
    const fewer = await command({ ...cutAnswer, data: cutAnswer.data!.slice(1), truncated: { returned: 4, total: 7 } });
    expect([fewer.code, fewer.said]).toEqual([1, expect.stringContaining('has 4 of 7 rows; 5 were served')]);
  }, 60_000);
});

const apart = async (body: object, app: TestApp) => (await app.post<VerificationVerdict>('/v1/verify', body)).body;
const QUESTIONS = [
  'What was revenue by region in 2016?',
  'Top 5 states by profit',
  'What is revenue per year?',
  'Which ten products sold most in Furniture?',
  'What was revenue by region in 2015?',
  'What is the profit ratio of each sub-category?',
  'Number of order lines above 1000 dollars in Texas by month of 2015',
  'Average discount per category and year',
  'Units in the category Technology',
  'Which states lose money?',
  'customers by state',
  'list the order id and order date of orders in Wyoming',
  'Top 15 products by revenue in 2017',
  'Revenue by month of 2015',
  'revenue by category and year',
];

describe('the sentence of an answer', () => {
  const askSample = (q: string) => ask(q, { receipt: 'full' }, sample, 'superstore');

  it('states the value with its unit and conditions, while the rows keep all digits', async () => {
    const west = await askSample('What was revenue in the West in 2016?');
    expect(west.answer).toBe('Revenue was 187,480.18 USD (region: West; order date: 2016).');
    expect(west.data).toEqual([{ revenue: 187480.1765 }]);
    expect((await askSample('How many orders were there in March 2016?')).answer).toMatch(
      /^Order count was \d+ \(order date: 2016-03-01 up to 2016-04-01\)\.$/,
    );
    expect((await askSample('revenue by segment in 2016')).answer).toMatch(
      /^Revenue by segment \(order date: 2016\): \w[\w ]*: [\d,]+\.\d\d USD; /,
    );
    expect((await askSample('Top 3 states by profit')).answer).toMatch(
      /^Profit by state \(ordered by profit descending; first 3\): /,
    );
  });

  it('is verified as a whole, in part, and with all digits of the row', async () => {
    const { answer, receipt, data, request_id } = await askSample('What was revenue in the West in 2016?');
    for (const text of [answer!, `In the West it was 187,480.18 USD (order date: 2016).`, 'It was 187,480.1765 USD.'])
      expect(
        (await sample.post<VerificationVerdict>('/v1/verify', { receipt, rows: data, text })).body,
        text,
      ).toMatchObject({
        ok: true,
        numbers: [{ row: 1, column: 'revenue' }],
      });
    const isLogged = async (text: string) =>
      (await sample.post<VerificationVerdict>('/v1/verify', { text: `${text} (request ${request_id})` })).body.numbers;
    expect(await isLogged('It was 187,480.1765 USD')).toMatchObject([{ value: expect.anything(), rounds: true }]);
    expect(await isLogged('It was 187,480.1865 USD')).toMatchObject([{ value: null }]);
  });
});

describe('an answer compared with its receipt', () => {
  it.each(QUESTIONS)(
    'matches as served, with its own text, and differs once a number of its sentence changes: %s',
    async (q) => {
      const answer = await ask(q, {}, sample, 'superstore');
      expect(answer.status).toBe('answered');
      expect(await apart({ answer }, sample)).toMatchObject({ ok: true, rows: 'match', mismatches: [] });
      for (const body of [{ answer }, { receipt: answer.receipt, rows: answer.data }]) {
        const { ok, not_proven, numbers } = await apart({ ...body, text: answer.answer! }, sample);
        expect([ok, not_proven, numbers.filter(({ value }) => value === null)]).toEqual([true, [], []]);
      }
      const numbers = [...answer.answer!.slice(answer.answer!.indexOf(': ')).matchAll(/\d[\d,]*\.\d+/g)].slice(0, 3);
      for (const [number] of numbers) {
        const changedNumber = number.replace(/\d/, (digit) => String((Number(digit) % 9) + 1));
        const edited = { ...answer, answer: answer.answer!.replace(number, changedNumber) };
        expect((await apart({ answer: edited }, sample)).mismatches, edited.answer!).toEqual([
          expect.stringMatching(/^answer: /),
        ]);
      }
    },
  );

  it('is found by the short receipt that agents get', async () => {
    const answer = await ask(QUESTION, { receipt: 'id' });
    expect(Object.keys(answer.receipt!)).toEqual(['request_id', 'digest']);
    expect(await apart({ answer }, shop)).toMatchObject({ ok: true, rows: 'match', mismatches: [] });
    expect(await apart({ answer: { ...answer, data: answer.data!.slice(1) } }, shop)).toMatchObject({
      ok: false,
      rows: 'differ',
    });
    const { data: rows, receipt } = answer;
    expect((await shop.post('/v1/verify', { receipt, rows })).body).toMatchObject({ ok: true });
    expect(await command(answer)).toMatchObject({ code: 0 });
    // With a wrong digest, another caller learns nothing about the answer.
    const { key } = await shop.mintCaller({ name: 'id-guesser', lenses: ['shop'] });
    for (const guess of [answer, { ...answer, sql: 'select 1', row_count: 99, data: [] }]) {
      const wrong = { ...guess, receipt: { ...answer.receipt, digest: '0'.repeat(64) } };
      expect((await shop.post('/v1/verify', { answer: wrong }, key)).body).toMatchObject({
        ...{ ok: false, rows: 'unknown', mismatches: [], not_proven: ['data not compared: the receipt is not valid'] },
        receipt: { signature: 'invalid', mismatches: [], question: null },
      });
    }
  }, 60_000);

  it('reports numbers that swap places in the sentence', async () => {
    const answer = await ask('What is revenue by region?', {}, sample, 'superstore');
    const [firstNumber, two] = answer.data!.map(({ revenue }) => formatNumber(revenue as number));
    const text = answer.answer!.replace(firstNumber!, '#').replace(two!, firstNumber!).replace('#', two!);
    expect((await apart({ answer: { ...answer, answer: text } }, sample)).mismatches).toEqual([
      'answer: differs from the served answer',
    ]);
  });
});

describe('POST /v1/verify-receipt', () => {
  it('names every edited member', async () => {
    const { receipt } = await ask(QUESTION);
    for (const name of Object.keys(receipt!).filter((key) => !['request_id', 'digest'].includes(key))) {
      const value = (receipt as Record<string, unknown>)[name];
      const edited = { ...receipt, [name]: typeof value === 'number' ? value + 1 : `${value}x` };
      const signature = name === 'key_id' ? 'unkeyed' : 'invalid';
      expect(await verify(edited), name).toMatchObject({ ok: false, signature, mismatches: [name] });
    }
    expect(await verify({ ...receipt, note: 'added' })).toMatchObject({ ok: false, mismatches: ['note'] });
  });

  it.each([
    ['confidence', 'partial'],
    ['certification', 'none'],
    ['lens', 'other'],
    ['sql_sha256', '0'.repeat(64)],
  ])('names a member that someone changed in the logged row: %s', async (name, value) => {
    const { receipt, request_id } = await ask(QUESTION);
    await shop.sql(`update svc.traces set ${name} = $2 where request_id = $1`, [request_id, value]);
    expect(await verify(receipt)).toMatchObject({ ok: false, signature: 'valid', mismatches: [name] });
  });

  it('MCP-15: answers a right guess of another caller’s answer like a wrong guess', async () => {
    const { receipt, data } = await ask(QUESTION);
    const { key } = await shop.mintCaller({ name: 'guesser', lenses: ['shop'] });
    const verifyGuess = async (guess: object, rows = data!) => {
      const body = { receipt: { ...receipt, digest: '0'.repeat(64), ...guess }, rows };
      return [
        (await shop.post('/v1/verify-receipt', body.receipt, key)).body,
        (await shop.post('/v1/verify', body, key)).body,
      ];
    };
    const right = await verifyGuess({});
    expect(right[0]).toMatchObject({ ok: false, signature: 'invalid', mismatches: [], question: null });
    expect(right[1]).toMatchObject({ ok: false, rows: 'unknown' });
    const rows = data!.map((row) => ({ ...row, revenue: 1 }));
    expect(await verifyGuess({ result_sha256: 'f'.repeat(64), row_count: 2, confidence: 'partial' }, rows)).toEqual(
      right,
    );
  });

  it('returns the question with its parameters filled in', async () => {
    const run = (
      await shop.post('/v1/lenses/shop/certified/revenue-in-year/run', {
        parameters: { year: 2017 },
        format: 'structured',
      })
    ).body;
    expect(run.question).toBe('What was total revenue in 2017?');
    expect((await verify(run.receipt)).question).toBe('What was total revenue in 2017?');
  });

  it('returns the context that a follow-up refers to', async () => {
    const messages = [QUESTION, 'and in 2017?'].map((content) => ({ role: 'user', content }));
    const { body } = await shop.post('/v1/chat/completions', { model: 'svc/shop', messages });
    expect(body.svc).toMatchObject({ status: 'answered', question: 'and in 2017?' });
    expect(await verify(body.svc.receipt)).toMatchObject({
      question: `${QUESTION} → and in 2017?`,
      context: [QUESTION],
    });
  });
});

describe('POST /v1/verify', () => {
  const verifyBody = async (body: object, key?: string) => (await shop.post('/v1/verify', body, key)).body;

  it('names each other changed part of the answer', async () => {
    const envelope = await ask(QUESTION);
    const { detail: _, ...check } = envelope.checks[0]!;
    expect(await verifyBody({ answer: envelope })).toMatchObject({ ok: true });
    for (const edit of [
      { checks: [{ ...check, detail: 'edited' }] },
      { certified_id: 'another' },
      { warnings: ['edited'] },
      { truncated: { returned: 4, total: 99 } },
      { empty: { reason: 'source_stale' } },
      { status: 'refused' },
      { routing: { candidates: [] } },
      { answers: { question: 'another' } },
    ])
      expect(await verifyBody({ answer: { ...envelope, ...edit } })).toMatchObject({
        ok: false,
        mismatches: [expect.stringContaining(Object.keys(edit)[0]!)],
      });
  });

  it('compares rows with their receipt, and the numbers of a text with the rows', async () => {
    const { receipt, data } = await ask(QUESTION);
    const [first] = data!;
    const revenue = Number(first!['revenue']);
    const text = `In 2016 it was ${revenue}, about ${Math.round(revenue)}; the moon made 123,456.`;
    expect(await verifyBody({ receipt, rows: data, text })).toMatchObject({
      ok: false,
      receipt: { ok: true },
      rows: 'match',
      mismatches: [],
      numbers: [
        { text: String(revenue), value: first!['revenue'], row: 1, column: 'revenue', rounds: false },
        { row: 1, column: 'revenue', rounds: !Number.isInteger(revenue) },
        { text: '123,456', value: null, row: null, column: null, rounds: false },
      ],
    });
    expect(await verifyBody({ receipt, rows: data, text: `It was ${revenue}.` })).toMatchObject({ ok: true });
    const forged = data!.map((row) => ({ ...row, revenue: 1 }));
    expect(await verifyBody({ receipt, rows: forged })).toMatchObject({
      ok: false,
      rows: 'differ',
      receipt: { ok: true },
    });
    expect(await verifyBody({ receipt: { ...receipt, row_count: 99 }, rows: data })).toMatchObject({
      ok: false,
      rows: 'unknown',
    });
    const manyNumbers = Array.from({ length: 201 }, (_, n) => n).join(', ');
    expect(await verifyBody({ receipt, rows: data, text: manyNumbers })).toMatchObject({
      error: { code: 'invalid', details: [{ path: 'text', code: 'too_many' }] },
    });
    const wider = data!.map((row, at) => (at === 1 ? { ...row, more: 1 } : row));
    expect(await verifyBody({ receipt, rows: wider })).toMatchObject({ ok: false, rows: 'differ' });
    expect(await verifyBody({ receipt })).toMatchObject({
      ok: false,
      receipt: { ok: true },
      rows: 'unknown',
      numbers: [],
      not_proven: [expect.stringContaining('no rows')],
    });
  });

  it('compares a text with the sentence of the request that it names, for its own caller only', async () => {
    const answer = await ask('What was revenue in the West in 2016?');
    const revenueValue = answer.data![0]!['revenue'];
    const text = `Revenue was ${String(revenueValue)}, see https://svc.example/app/requests/${answer.request_id}`;
    expect(await verifyBody({ text })).toMatchObject({
      ok: false,
      receipt: null,
      numbers: [{ text: String(revenueValue), value: expect.anything() }],
      logged: { request_id: answer.request_id, answer: answer.answer },
    });
    expect(await verifyBody({ text: text.replace(String(revenueValue), '77.7') })).toMatchObject({
      ok: false,
      numbers: [{ text: '77.7', value: null }],
    });
    const { key: otherKey } = await shop.mintCaller({ name: 'other', lenses: ['shop'] });
    expect(await verifyBody({ text }, otherKey)).toMatchObject({ error: { code: 'forbidden' } });
    expect(await verifyBody({ text: 'Revenue was 5.' })).toMatchObject({
      error: { code: 'invalid', details: [{ path: 'text' }] },
    });
  });

  it('names the missing parts when it can’t verify the input', async () => {
    const { receipt, data, ...answer } = await ask(QUESTION);
    const paths = async (body: object) =>
      (await verifyBody(body)).error.details.map(({ path }: { path: string }) => path);
    expect(await paths({})).toEqual(['answer']);
    expect(await paths({ rows: data })).toEqual(['answer', 'rows']);
    const edited = { ...receipt, lens: undefined, served_at: undefined };
    expect(await paths({ answer: { ...answer, data, receipt: edited } })).toEqual([
      'answer.receipt.lens',
      'answer.receipt.served_at',
    ]);
  });
});
