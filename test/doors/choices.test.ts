// 11 "Doors that lead on": whatever is asked back is settled by each of its options, over every door, and never asked twice.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Clarification, Envelope } from '../../src/contract/ask.ts';
import { type ReadingsBench, startReadingsBench } from '../readings/ask-wrong-readings.ts';
import { wrongReadings } from '../readings/wrong-readings.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { askedBack } from './asked-back.ts';
import { refusedQuestions } from './refused-questions.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const SOME_MINUTES = 300_000;
let sample: TestApp;
let billing: TestApp;
let bench: ReadingsBench;
beforeAll(async () => {
  [sample, billing, bench] = await Promise.all([
    startTestApp({ project: '.' }),
    startTestApp({ project: BILLING }),
    startReadingsBench(),
  ]);
});
afterAll(() => Promise.all([sample?.close(), billing?.close(), bench?.close()]));

type Asks = (choices: Record<string, string>) => Promise<Envelope>;
const keysOf = ({ options }: Clarification): string[] =>
  options.slice(0, 4).map((option) => (typeof option === 'string' ? option : option.key));

/** Every way through what is asked back; what goes wrong, in words. */
async function follow(q: string, ask: Asks, choices: Record<string, string> = {}): Promise<string[]> {
  const { clarification, status, answer } = await ask(choices);
  const chosen = Object.keys(choices).length;
  if (status !== 'clarification')
    return status === 'answered' || chosen === 0 ? [] : [`${q} ${JSON.stringify(choices)}: ${status} ${answer}`];
  const { term } = clarification!;
  if (term in choices || chosen > 4) return [`${q} ${JSON.stringify(choices)}: asked again about ${term}`];
  if (clarification!.options.length === 0) return [`${q}: nothing to choose for ${term}`];
  const wrong: string[] = [];
  for (const key of keysOf(clarification!)) wrong.push(...(await follow(q, ask, { ...choices, [term]: key })));
  return wrong;
}

it(
  '11.5 every option of whatever is asked back leads to an answer or to another question',
  async () => {
    const wrong: string[] = [];
    for (const one of wrongReadings()) wrong.push(...(await follow(one.q, (choices) => bench.ask(one, choices))));
    for (const { lens, q } of [...refusedQuestions, ...askedBack]) {
      const app = lens === 'billing' ? billing : sample;
      const ask: Asks = async (choices) => (await app.post<Envelope>(`/v1/lenses/${lens}/query`, { q, choices })).body;
      wrong.push(...(await follow(q, ask)));
    }
    expect(wrong).toEqual([]);
  },
  SOME_MINUTES,
);

it('11.5 what is asked back of the new questions is asked back', async () => {
  const open: string[] = [];
  for (const { lens, q } of askedBack) {
    const app = lens === 'billing' ? billing : sample;
    const { status, answer } = (await app.post<Envelope>(`/v1/lenses/${lens}/query`, { q })).body;
    if (status !== 'clarification') open.push(`${q}: ${status} ${answer}`);
  }
  expect(open).toEqual([]);
});
