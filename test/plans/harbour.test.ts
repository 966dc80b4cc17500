// Analysts' statements over tables that weren't used to build svc: each is equivalent to a plan, and similar statements
// aren't.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SentEnvelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { HARBOUR_LENS, HARBOUR_NEAR, HARBOUR_OPEN, HARBOUR_STATEMENTS, HARBOUR_TABLES } from './harbour.ts';
import { cell, sortRows } from './stage.ts';

const folder = await temporaryFolder();
const url = await createDatabase(...HARBOUR_TABLES);
await writeFile(join(folder, 'svc.config.yaml'), '{}\n');
const app = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { harbour: connectionTo(url) } }),
    'lenses/harbour/lens.yaml': HARBOUR_LENS,
  },
});

const ask = async (sql: string): Promise<SentEnvelope> =>
  (await app.post<SentEnvelope>('/v1/sql', { lens: 'harbour', sql, plan: true, limit: 500 })).body;
const rowsOf = ({ data }: SentEnvelope): string[] => sortRows((data ?? []).map((row) => Object.values(row).map(cell)));

const sendPlan = async ({ plan }: SentEnvelope): Promise<SentEnvelope> =>
  (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', plan)).body;
const reasonOf = ({ checks, error }: SentEnvelope): string =>
  checks?.find(({ name }) => name === 'governed_metrics')?.detail ?? error?.message ?? '';
/** Ignores the order of the columns. */
const valuesOf = (envelope: SentEnvelope): string[][] => rowsOf(envelope).map((row) => row.split(' | ').sort());

it('verifies statements that equal a plan with the same rows', async () => {
  const unequal: unknown[] = [];
  for (const sql of HARBOUR_STATEMENTS) {
    const envelope = await ask(sql);
    const asPlan = typeof envelope.plan === 'object' ? await sendPlan(envelope) : null;
    const hasSameRows = asPlan && JSON.stringify(valuesOf(envelope)) === JSON.stringify(valuesOf(asPlan));
    if (envelope.confidence !== 'verified' || !hasSameRows || envelope.data!.length === 0)
      unequal.push({
        sql,
        confidence: envelope.confidence,
        reason: reasonOf(envelope),
        rows: envelope.data?.length,
        same: hasSameRows,
      });
  }
  expect(unequal).toEqual([]);
}, 120_000);

it('reports the rows that a computed value leaves out because of a null, and a way to count them', async () => {
  const postMetrics = async (value: object) =>
    (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', { measures: [{ fn: 'sum', value, as: 'worth' }] }))
      .body;
  const nullsCheckOf = ({ checks }: SentEnvelope) => checks?.find(({ name }) => name === 'nulls_stated');
  const partly = await postMetrics({ op: '*', of: ['tonnes', 'rate'] });
  expect([partly.confidence, nullsCheckOf(partly)?.outcome]).toEqual(['partial', 'fail']);
  expect(partly.warnings.join()).toMatch(/^10 rows have no loads\.tonnes, so the sum leaves them out\. .*"or":0/);

  // The grade is the same if the ratio only selects or orders groups. A ratio of two fields uses rows with both fields.
  const gradeOf = async (plan: object) =>
    (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', plan)).body.confidence;
  const of = ['tonnes', 'rate'];
  const measure = { fn: 'sum', value: { op: '*', of } };
  const bills = { measures: [{ fn: 'count', rows: 'loads' }], dimensions: ['goods'] };
  expect(await gradeOf(bills)).toBe('verified');
  expect(await gradeOf({ ...bills, having: [{ measure: measure, op: '>', values: [1] }] })).toBe('partial');
  expect(await gradeOf({ measures: [{ fn: 'avg', value: { op: '*', of } }] })).toBe('partial');
  expect(await gradeOf({ measures: [{ fn: 'avg', value: { op: '/', of } }] })).toBe('verified');

  const whole = await postMetrics({ op: '*', of: [{ field: 'tonnes', or: 100 }, 'rate', 2] });
  expect([whole.confidence, nullsCheckOf(whole)]).toEqual(['verified', undefined]);
  const sql = 'select sum(coalesce(tonnes, 100) * rate * 2) as worth from public.loads';
  const sqlEnvelope = await ask(sql);
  expect([sqlEnvelope.confidence, rowsOf(sqlEnvelope)]).toEqual(['verified', rowsOf(whole)]);
  const planEnvelope = await sendPlan(sqlEnvelope);
  expect([planEnvelope.confidence, rowsOf(planEnvelope)]).toEqual(['verified', rowsOf(whole)]);
  expect(JSON.stringify(whole)).toContain('tonnes or 100');
});

it('gives a ratio of two units both units, and a ratio of equal units none', async () => {
  const unitOf = async (right: string) => {
    const [left, other] = ['rate', right].map((field) => ({ fn: 'avg', field: `loads.${field}` }));
    const plan = { measures: [{ fn: 'ratio', of: [left, other] }] };
    return (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', plan)).body.columns?.[0]?.unit;
  };
  expect(await unitOf('tonnes')).toBe('EUR/t');
  expect(await unitOf('rate')).toBeNull();
});

it('does not verify statements without an equal plan, and states the reason', async () => {
  const unexpected: unknown[] = [];
  for (const sql of HARBOUR_OPEN) {
    const envelope = await ask(sql);
    if (envelope.status !== 'answered' || envelope.confidence === 'verified' || reasonOf(envelope).length < 40)
      unexpected.push(sql);
  }
  expect(unexpected).toEqual([]);
});

it('does not verify statements that only resemble a verified one', async () => {
  const unexpected: unknown[] = [];
  for (const [about, sql, looksLike] of HARBOUR_NEAR) {
    const [nearEnvelope, otherEnvelope] = [await ask(sql), await ask(looksLike)];
    if (nearEnvelope.status !== 'answered' || otherEnvelope.status !== 'answered')
      unexpected.push({ about, error: reasonOf(nearEnvelope) });
    if (nearEnvelope.confidence === 'verified') unexpected.push({ about, plan: nearEnvelope.plan });
  }
  expect(unexpected).toEqual([]);
}, 120_000);

it('answers a plan over MCP in at most 500 characters on average, or 1,500 with the lens description', async () => {
  const callTool = async (name: string, args: object) => (await app.callTool(name, args)).content[0]!.text;
  const described = (await callTool('describe_lens', { lens: 'harbour' })).length;
  const answerSizes: number[] = [];
  for (const sql of HARBOUR_STATEMENTS) {
    const { plan } = await ask(sql);
    const text = await callTool('query_metrics', { lens: 'harbour', ...(plan as object) });
    expect(text).toContain('Grade: verified');
    answerSizes.push(text.length);
  }
  const mean = answerSizes.reduce((sum, length) => sum + length, 0) / answerSizes.length;
  expect(mean).toBeLessThanOrEqual(500);
  // An agent reads the lens description about once for seven questions.
  expect(mean + described / 7).toBeLessThanOrEqual(1_500);
}, 60_000);
