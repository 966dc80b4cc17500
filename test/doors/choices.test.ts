// Each option of a clarification resolves it, on every surface, and svc never asks the same thing twice.
// test/readings/wrong-readings.test.ts checks this for its own questions.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { askedBack } from './asked-back.ts';
import { type Asks, findOptionProblems } from './every-option.ts';
import { refusedQuestions } from './refused-questions.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const [sample, billing] = await Promise.all([startTestApp({ project: '.' }), startTestApp({ project: BILLING })]);

it('offers only options that lead to an answer or to another clarification', async () => {
  const wrong: string[] = [];
  for (const { lens, q } of [...refusedQuestions, ...askedBack]) {
    const app = lens === 'billing' ? billing : sample;
    const ask: Asks = async (choices) => (await app.post<Envelope>(`/v1/lenses/${lens}/query`, { q, choices })).body;
    const first = await ask({});
    if (askedBack.some((item) => item.q === q) && first.status !== 'clarification') wrong.push(`${q}: not asked back`);
    wrong.push(...(await findOptionProblems(q, first, ask)));
  }
  expect(wrong).toEqual([]);
}, 300_000);
