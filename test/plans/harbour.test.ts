// Analysts' statements over tables that weren't used to build svc: each equals a plan, and similar statements don't.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SentEnvelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { HARBOUR_LENS, HARBOUR_NEAR, HARBOUR_OPEN, HARBOUR_STATEMENTS, HARBOUR_TABLES } from './harbour.ts';
import { cell, sorted } from './stage.ts';

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
const rowsOf = ({ data }: SentEnvelope): string[] => sorted((data ?? []).map((row) => Object.values(row).map(cell)));

const planned = async ({ plan }: SentEnvelope): Promise<SentEnvelope> =>
  (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', plan)).body;
const reasonOf = ({ checks, error }: SentEnvelope): string =>
  checks?.find(({ name }) => name === 'governed_metrics')?.detail ?? error?.message ?? '';
/** Ignores the order of the columns. */
const valuesOf = (said: SentEnvelope): string[][] => rowsOf(said).map((row) => row.split(' | ').sort());

it('verifies statements that equal a plan with the same rows', async () => {
  const found: unknown[] = [];
  for (const sql of HARBOUR_STATEMENTS) {
    const said = await ask(sql);
    const asPlan = typeof said.plan === 'object' ? await planned(said) : null;
    const same = asPlan && JSON.stringify(valuesOf(said)) === JSON.stringify(valuesOf(asPlan));
    if (said.confidence !== 'verified' || !same || said.data!.length === 0)
      found.push({ sql, confidence: said.confidence, reason: reasonOf(said), rows: said.data?.length, same });
  }
  expect(found).toEqual([]);
}, 120_000);

it('reports the rows that a computed value leaves out because of a null, and a way to count them', async () => {
  const metrics = async (value: object) =>
    (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', { measures: [{ fn: 'sum', value, as: 'worth' }] }))
      .body;
  const stated = ({ checks }: SentEnvelope) => checks?.find(({ name }) => name === 'nulls_stated');
  const partly = await metrics({ op: '*', of: ['tonnes', 'rate'] });
  expect([partly.confidence, stated(partly)?.outcome]).toEqual(['partial', 'fail']);
  expect(partly.warnings.join()).toMatch(/^10 rows have no loads\.tonnes, so the sum leaves them out\. .*"or":0/);

  // The grade is the same if the ratio only selects or orders groups. A ratio of two fields uses rows with both fields.
  const graded = async (plan: object) =>
    (await app.post<SentEnvelope>('/v1/lenses/harbour/metrics', plan)).body.confidence;
  const of = ['tonnes', 'rate'];
  const most = { fn: 'sum', value: { op: '*', of } };
  const bills = { measures: [{ fn: 'count', rows: 'loads' }], dimensions: ['goods'] };
  expect(await graded(bills)).toBe('verified');
  expect(await graded({ ...bills, having: [{ measure: most, op: '>', values: [1] }] })).toBe('partial');
  expect(await graded({ measures: [{ fn: 'avg', value: { op: '*', of } }] })).toBe('partial');
  expect(await graded({ measures: [{ fn: 'avg', value: { op: '/', of } }] })).toBe('verified');

  const whole = await metrics({ op: '*', of: [{ field: 'tonnes', or: 100 }, 'rate', 2] });
  expect([whole.confidence, stated(whole)]).toEqual(['verified', undefined]);
  const sql = 'select sum(coalesce(tonnes, 100) * rate * 2) as worth from public.loads';
  const written = await ask(sql);
  expect([written.confidence, rowsOf(written)]).toEqual(['verified', rowsOf(whole)]);
  const again = await planned(written);
  expect([again.confidence, rowsOf(again)]).toEqual(['verified', rowsOf(whole)]);
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
  const found: unknown[] = [];
  for (const sql of HARBOUR_OPEN) {
    const said = await ask(sql);
    if (said.status !== 'answered' || said.confidence === 'verified' || reasonOf(said).length < 40) found.push(sql);
  }
  expect(found).toEqual([]);
});

it('does not verify statements that only resemble a verified one', async () => {
  const found: unknown[] = [];
  for (const [about, sql, looksLike] of HARBOUR_NEAR) {
    const [near, other] = [await ask(sql), await ask(looksLike)];
    if (near.status !== 'answered' || other.status !== 'answered') found.push({ about, error: reasonOf(near) });
    if (near.confidence === 'verified') found.push({ about, plan: near.plan });
  }
  expect(found).toEqual([]);
}, 120_000);

it('answers a plan over MCP in at most 500 characters on average, or 1,500 with the lens description', async () => {
  const tool = async (name: string, args: object): Promise<string> => {
    const params = { name, arguments: args };
    return (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result.content[0]
      .text;
  };
  const described = (await tool('describe_lens', { lens: 'harbour' })).length;
  const answered: number[] = [];
  for (const sql of HARBOUR_STATEMENTS) {
    const { plan } = await ask(sql);
    const text = await tool('query_metrics', { lens: 'harbour', ...(plan as object) });
    expect(text).toContain('Grade: verified');
    answered.push(text.length);
  }
  const mean = answered.reduce((sum, length) => sum + length, 0) / answered.length;
  expect(mean).toBeLessThanOrEqual(500);
  // An agent reads the lens description about once for seven questions.
  expect(mean + described / 7).toBeLessThanOrEqual(1_500);
}, 60_000);
