import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestApp } from '../support/app.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { FOREIGN_TABLES } from './foreign-tables.ts';

const app = await startTestApp();
const url = new URL(await createDatabase());
const client = await connect(url.href);
for (const { ddl } of FOREIGN_TABLES) await client.query(ddl);
await app.admin('POST', '/connections', {
  ...{ name: 'foreign', kind: 'postgres', host: url.hostname, port: Number(url.port), ssl: false },
  ...{ database: url.pathname.slice(1), user: url.username, password: decodeURIComponent(url.password) || 'none' },
});
const { body } = await app.admin('POST', '/semantic/introspect/draft', { connection: 'foreign', name: 'foreign' });
const run = await app.runEnds(body.run_id);
// Confirms every inferred fact.
const text = run.result.files['lenses/foreign/lens.yaml'].replaceAll('origin: inferred', 'origin: confirmed');
const metrics: Record<string, { expression: string }> = parse(text).metrics;

const publish = (name: string, yaml: string) =>
  app.publishLens(name, yaml.replace(/^name: foreign$/m, `name: ${name}`));
expect((await publish('foreign', text)).status).toBe(200);
const ask = async (q: string, choices?: Record<string, string>, lens = 'foreign') =>
  (await app.post(`/v1/lenses/${lens}/query`, { q, ...(choices ? { choices } : {}) }, app.adminToken)).body;
const phrasings = (fieldWords: string, by: string): string[] => [
  ...[
    `total ${fieldWords} by ${by}`,
    `${fieldWords} by ${by}`,
    `sum of ${fieldWords} per ${by}`,
    `total ${fieldWords}`,
  ],
  ...[`${by} with the highest total ${fieldWords}`, `what is the total ${fieldWords} for each ${by}?`],
];
/** Returns the total of the field, and its sum in each group. */
async function sums(table: string, field: string, by: string): Promise<number[]> {
  const { rows } = await client.query(
    `select sum(${field})::float8 as s from ${table} union all select sum(${field})::float8 from ${table} group by ${by}`,
  );
  return rows.map(({ s }) => Number(s));
}
const numbersOf = (data: Record<string, unknown>[] | null): number[] =>
  (data ?? []).flatMap((row) => Object.values(row).map(Number).filter(Number.isFinite));
const isNear = (left: number, right: number): boolean => Math.abs(left - right) < 1e-6 * Math.max(1, Math.abs(right));

it('sums none of 30 fields that don’t add up, by questions or metrics', async () => {
  const summed: string[] = [];
  let fields = 0;
  for (const { name, by, notSummed } of FOREIGN_TABLES)
    for (const [field, fieldWords] of Object.entries(notSummed)) {
      fields++;
      const wrong = await sums(name, field, by);
      const replies = [
        ...phrasings(fieldWords, by).map((q) => ['query', { q }] as const),
        ...Object.entries(metrics)
          .filter(([, { expression }]) => expression.includes(`${name}.${field})`) && expression.startsWith('sum('))
          .map(([metric]) => ['metrics', { metrics: [metric], dimensions: [`${name}.${by}`] }] as const),
      ];
      for (const [surface, surfaceReply] of replies) {
        const { body } = await app.post(`/v1/lenses/foreign/${surface}`, surfaceReply, app.adminToken);
        if (body.status === 'answered' && numbersOf(body.data).some((n) => wrong.some((sum) => isNear(n, sum))))
          summed.push(`${JSON.stringify(surfaceReply)} [${body.confidence}]`);
      }
    }
  expect(fields).toBe(30);
  expect(summed).toEqual([]);
});

it('sums fields that add up, and grades the sums verified', async () => {
  const failures: string[] = [];
  let fields = 0;
  for (const { name, by, summed } of FOREIGN_TABLES)
    for (const [field, fieldWords] of Object.entries(summed)) {
      fields++;
      const [, ...right] = await sums(name, field, by);
      const q = `total ${fieldWords} by ${by}`;
      const { body } = await app.post('/v1/lenses/foreign/query', { q }, app.adminToken);
      const foundSums = numbersOf(body.data);
      const hasAllSums = right.every((sum) => foundSums.some((n) => isNear(n, sum)));
      if (!hasAllSums || body.confidence !== 'verified')
        failures.push(`${q}: ${body.status} ${body.confidence} ${body.answer}`);
    }
  expect(fields).toBeGreaterThanOrEqual(15);
  expect(failures).toEqual([]);
});

it('averages a field that never adds up on request or by choice, and asks for clarification about its total', async () => {
  const { rows } = await client.query('select station, avg(temp_c)::float8 as mean from weather_readings group by 1');
  for (const [q, choices] of [
    ['average temperature by station', undefined],
    ['total temperature by station', { 'weather_readings.temp_c': 'average' }],
  ] as const) {
    const body = await ask(q, choices);
    expect(body, q + body.answer).toMatchObject({ status: 'answered', confidence: 'verified' });
    const foundSums = numbersOf(body.data);
    expect(rows.filter(({ mean }) => !foundSums.some((n) => isNear(n, Number(mean))))).toEqual([]);
    expect(body.answer).toContain('verage temp');
  }
  const open = await ask('temperature by station');
  expect([open.status, open.suggestions]).toEqual([
    'refused',
    expect.arrayContaining(['average temperature by station']),
  ]);
  const envelope = await ask('total temperature by station');
  expect(envelope.clarification).toMatchObject({ kind: 'ambiguous_term', term: 'weather_readings.temp_c' });
});

it('sums a balance at one date: the requested one, or else the latest with a warning', async () => {
  const fetchBalance = async (month: string) =>
    Number(
      (await client.query('select sum(closing_balance) as s from account_months where month_end = $1', [month])).rows[0]
        .s,
    );
  for (const q of ['total closing balance', 'total closing balance per branch']) {
    const body = await ask(q);
    expect(body, q + body.answer).toMatchObject({ status: 'answered', confidence: 'verified' });
    const [total, ...parts] = numbersOf(body.data);
    expect(parts.reduce((sum, part) => sum + part, total!)).toBe(await fetchBalance('2025-10-01'));
    expect(body.warnings.join()).toContain('2025-10-01');
  }
  const monthly = await ask('total closing balance by month');
  expect(monthly).toMatchObject({ status: 'answered', confidence: 'verified', row_count: 9 });
  expect(numbersOf(monthly.data)).toContain(await fetchBalance('2025-03-01'));
  expect(numbersOf((await ask('total closing balance in march 2025')).data)).toEqual([
    await fetchBalance('2025-03-01'),
  ]);
  for (const q of ['total closing balance in 2025', 'total closing balance by year', 'total occupied beds by month'])
    expect(await ask(q)).toMatchObject({ status: 'clarification' });
  const latest = await ask('total closing balance in 2025', { 'account_months.closing_balance': 'latest' });
  expect(numbersOf(latest.data)).toEqual([await fetchBalance('2025-10-01')]);
});

it('asks for clarification if a field might not be safe to sum, and verifies a sum only after the lens declares that the field adds up', async () => {
  expect(text).toMatch(/^# Fields that might not be safe to sum.*cell_stats\.packet_loss/m);
  const q = 'total packet loss by area';
  expect(await ask(q)).toMatchObject({ status: 'clarification', clarification: { term: 'cell_stats.packet_loss' } });
  const chosenAnswer = await ask(q, { 'cell_stats.packet_loss': 'sum' });
  expect(chosenAnswer).toMatchObject({ status: 'answered', confidence: 'partial' });
  expect(chosenAnswer.warnings.join()).toContain('aggregation: sum');
  const said = text.replace(/packet_loss: \{/, 'packet_loss: {aggregation: sum, ');
  expect((await publish('told', said)).status).toBe(200);
  expect(await ask(q, undefined, 'told')).toMatchObject({ status: 'answered', confidence: 'verified' });
});

it('sums a field that might not be safe to sum for a plan with sum, and grades the answer partial', async () => {
  const plan = { measures: [{ fn: 'sum', field: 'cell_stats.packet_loss' }] };
  const { body } = await app.post('/v1/lenses/foreign/metrics', plan, app.adminToken);
  expect(body).toMatchObject({ status: 'answered', confidence: 'partial' });
  const additive = body.checks.find(({ name }: { name: string }) => name === 'measures_additive');
  expect(additive).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('packet loss is additive') });
});

it('doesn’t ask for clarification when each group is one row, because nothing is added up', async () => {
  const sumBy = async (...fields: string[]) => {
    const dimensions = fields.map((field) => `weather_readings.${field}`);
    const plan = { measures: [{ fn: 'sum', field: 'weather_readings.temp_c', as: 'temp' }], dimensions };
    return (await app.post('/v1/lenses/foreign/metrics', plan, app.adminToken)).body;
  };
  expect(await sumBy('station')).toMatchObject({ status: 'clarification' });
  const { rows } = await client.query('select reading_id, temp_c::float8 as temp from weather_readings');
  const each = await sumBy('reading_id', 'station');
  expect(each, JSON.stringify(each.checks)).toMatchObject({
    status: 'answered',
    confidence: 'verified',
    row_count: 240,
  });
  const tempById = new Map(rows.map(({ reading_id, temp }) => [reading_id, temp]));
  for (const { reading_id, temp } of each.data) expect(Number(temp)).toBe(tempById.get(reading_id));
});

it('refuses to publish a lens with a sum of a field that never adds up', async () => {
  const wrong = text.replace(/^metrics:$/m, 'metrics:\n  heat:\n    expression: sum(weather_readings.temp_c)');
  const { status, body } = await publish('wrong', wrong);
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain('the aggregation of this field is');
});
