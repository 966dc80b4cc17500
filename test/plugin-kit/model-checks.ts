// Checks how a language model's adapter behaves. svc itself checks the model's replies at every ask.
import { z } from 'zod';
import type { LanguageModel, ModelUsage } from '../../src/domain/ports.ts';
import { assertSame, assertTrue, assertWithin, type Check } from './check.ts';

const DEADLINE_MS = 60_000;
const yearReply = z.object({ year: z.number().int() });
const QUESTION = {
  system: 'Read the year out of the question. Answer with JSON after the schema and with nothing else.',
  user: 'What was revenue in 2016?',
  schemaName: 'year',
  schema: {
    type: 'object',
    properties: { year: { type: 'integer' } },
    required: ['year'],
    additionalProperties: false,
  },
};
const LONG_WORK = { system: 'Write at length.', user: 'Tell the history of accounting in 5,000 words.' };

/** `patienceMs`: the time that a call can run beyond its deadline. */
export function modelChecks(make: () => LanguageModel, patienceMs = 5_000): Check[] {
  const check = (family: string, name: string, prove: (model: LanguageModel) => Promise<void>): Check => ({
    family,
    name,
    run: () => prove(make()),
  });
  return [
    check('identity', 'reports entry, provider and model', async ({ entry, provider, model }) => {
      assertTrue(entry === 'fast' || entry === 'smart', `entry is ${entry}`);
      for (const text of [provider, model])
        assertTrue(typeof text === 'string' && text !== '', 'provider or model is empty');
    }),
    check('decide', 'replies with JSON that matches the schema', async (model) => {
      const { value } = await model.decide({ ...QUESTION, deadlineMs: DEADLINE_MS });
      const parsedReply = yearReply.safeParse(value);
      assertTrue(parsedReply.success, `the value does not match the schema: ${JSON.stringify(value)}`);
    }),
    check('write', 'answers text', async (model) => {
      const { text } = await model.write({ system: 'Be brief.', user: 'Say hello.', deadlineMs: DEADLINE_MS });
      assertTrue(typeof text === 'string' && text.trim() !== '', 'the text is empty');
    }),
    check('usage', 'reports the tokens, time and cost of each call', async (model) => {
      assertUsage(model, (await model.decide({ ...QUESTION, deadlineMs: DEADLINE_MS })).usage);
      assertUsage(
        model,
        (await model.write({ system: 'Be brief.', user: 'Say hello.', deadlineMs: DEADLINE_MS })).usage,
      );
    }),
    check('deadline', 'replies or fails within deadlineMs', async (model) => {
      const pendingWrite = model.write({ ...LONG_WORK, deadlineMs: 100 }).catch(() => undefined);
      await assertWithin(100 + patienceMs, 'a call with deadlineMs 100', pendingWrite);
    }),
    check('canceling', 'stops when the signal aborts', async (model) => {
      const cancellation = new AbortController();
      const pendingWrite = model
        .write({ ...LONG_WORK, deadlineMs: DEADLINE_MS, signal: cancellation.signal })
        .catch(() => undefined);
      setTimeout(() => cancellation.abort(), 100);
      await assertWithin(100 + patienceMs, 'a call canceled after 100 ms', pendingWrite);
    }),
  ];
}

function assertUsage(model: LanguageModel, usage: ModelUsage): void {
  assertSame([usage.entry, usage.model], [model.entry, model.model], 'entry and model of the usage');
  for (const count of [usage.tokensIn, usage.tokensOut])
    assertTrue(Number.isSafeInteger(count) && count >= 0, `${count} is not a token count`);
  assertTrue(Number.isFinite(usage.ms) && usage.ms >= 0, `${usage.ms} is not a duration`);
  assertTrue(usage.cost === null || usage.cost >= 0, `${usage.cost} is not a cost`);
  assertSame(usage.outcome, 'ok', 'outcome');
}
