// A refusal names exactly the unknown words, suggests known names, and offers a plan that is ready to send, on every
// surface.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { askedBack } from './asked-back.ts';
import { type Asks, findOptionProblems } from './every-option.ts';
import { type RefusedQuestion, refusedQuestions } from './refused-questions.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const [sample, billing] = await Promise.all([startTestApp({ project: '.' }), startTestApp({ project: BILLING })]);

const appOf = (lens: string): TestApp => (lens === 'billing' ? billing : sample);
const ask = async ({ lens, q }: Pick<RefusedQuestion, 'lens' | 'q'>): Promise<Envelope> =>
  (await appOf(lens).post<Envelope>(`/v1/lenses/${lens}/query`, { q, format: 'structured' })).body;

/** The last part of each name, such as `state` in `customers.state`. */
const lastParts = (names: readonly string[] = []): string[] => names.map((name) => name.split('.')[1] ?? name);

describe('a question that svc can’t fully read', () => {
  it.each(refusedQuestions.map((refusedQuestion) => [refusedQuestion.q, refusedQuestion] as const))(
    'leads to known names, a plan that runs or another question: %s',
    async (_q, one) => {
      const envelope = await ask(one);
      if (one.answered) return expect([envelope.status, envelope.answer]).toEqual(['answered', envelope.answer]);
      if (one.asks) expect([envelope.status, envelope.answer]).toEqual(['clarification', envelope.answer]);
      if (typeof one.asks === 'string') expect(envelope.clarification!.options[0]).toMatchObject({ label: one.asks });
      if (one.asks) return;
      const { clarification, unplaced = [], proposal } = envelope;
      if (one.unplaced) {
        expect([envelope.status, unplaced.map(({ text }) => text)]).toEqual(['refused', one.unplaced]);
        for (const word of one.unplaced) expect(envelope.answer).toContain(`"${word}"`);
        expect(envelope.answer).not.toMatch(/"(?:by|top|how|many|had|of|per|\d+)"/i);
      }
      for (const [word, names] of Object.entries(one.near ?? {})) {
        if (envelope.status === 'answered') continue;
        const offeredOptions = clarification
          ? clarification.options.map((option) => (typeof option === 'string' ? option : option.key))
          : (unplaced.find(({ text }) => text === word)?.nearest ?? []).map(({ name }) => name);
        expect([word, lastParts(offeredOptions).some((name) => names.includes(name)), offeredOptions]).toEqual([
          word,
          true,
          offeredOptions,
        ]);
      }
      if (envelope.status !== 'refused') return;
      if (one.plan === null) return expect(proposal).toBeNull();
      if (one.plan) {
        const { answers, ...plan } = proposal!.plan;
        expect(answers).toEqual({ question: one.q, leaves_out: one.unplaced ?? [] });
        expect(plan).toMatchObject(one.plan);
      }
      if (proposal) {
        const sent = await appOf(one.lens).post<Envelope>(`/v1/lenses/${one.lens}/metrics`, proposal.plan);
        expect([sent.status, sent.body.status, sent.body.confidence]).toEqual([200, 'answered', 'partial']);
        expect(proposal.sentence).toContain(sent.body.scope!.sentence);
      }
      for (const suggestion of envelope.suggestions ?? [])
        expect(['answered', 'clarification']).toContain((await ask({ lens: one.lens, q: String(suggestion) })).status);
    },
  );
});

it('offers only options that lead to an answer or to another clarification', async () => {
  const wrong: string[] = [];
  for (const { lens, q } of [...refusedQuestions, ...askedBack]) {
    const answer: Asks = async (choices) =>
      (await appOf(lens).post<Envelope>(`/v1/lenses/${lens}/query`, { q, choices })).body;
    const first = await answer({});
    if (askedBack.some((item) => item.q === q) && first.status !== 'clarification') wrong.push(`${q}: not asked back`);
    wrong.push(...(await findOptionProblems(q, first, answer)));
  }
  expect(wrong).toEqual([]);
}, 300_000);
