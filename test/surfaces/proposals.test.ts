// A proposal for a question with unknown words keeps every known word, names each word that it leaves out, and runs
// unchanged on every surface. A proposal never counts as the answer to the original question.
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startDrafting } from '../introspect/schemas/drafting.ts';
import { FREIGHT } from '../introspect/schemas/freight.ts';
import { SCHOOL } from '../introspect/schemas/school.ts';
import { VETERINARY } from '../introspect/schemas/veterinary.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { garbleQuestion, generateQuestions } from './proposal-questions.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const DRAFTED = [VETERINARY, FREIGHT, SCHOOL];
const sample = await startTestApp({ project: '.' });
const billing = await startTestApp({ project: BILLING });
const drafting = await startDrafting(DRAFTED, 'duckdb');
for (const schema of DRAFTED) {
  const { text } = await drafting.draft(schema);
  await drafting.app.publishLens(schema.name, text.replace(/grants: .*/, 'grants: {callers: [quickstart]}'));
}

const query = async (app: TestApp, lens: string, q: string): Promise<Envelope> =>
  (await app.post<Envelope>(`/v1/lenses/${lens}/query`, { q, format: 'structured', plan: true })).body;
const CASED = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase()).sort();

/**
 * Sends the proposal unchanged over HTTP and MCP. The answer must not be verified, and must name the different
 * question.
 */
async function sendProposal(app: TestApp, lens: string, { plan, sentence }: NonNullable<Envelope['proposal']>) {
  const http = await app.post<Envelope>(`/v1/lenses/${lens}/metrics`, plan);
  const mcp = await app.callTool('query_metrics', { lens, ...plan });
  const leftOutWords = plan.answers?.leaves_out ?? [];
  const faults = leftOutWords
    .filter((word) => !sentence.includes(`"${word}"`))
    .map((word) => `the sentence lacks ${word}`);
  for (const [surface, body] of [
    ['http', http.body],
    ['mcp', mcp.structuredContent],
  ] as const) {
    const check = body.checks?.find(({ name }: { name: string }) => name === 'whole_question');
    if (body.status !== 'answered') faults.push(`${surface} rejects it: ${body.detail ?? body.answer ?? body.error}`);
    else if (body.confidence === 'verified') faults.push(`${surface} verifies it`);
    else if (JSON.stringify(body.answers) !== JSON.stringify(plan.answers)) faults.push(`${surface} has no answers`);
    else if (check?.outcome !== 'fail' || check.critical) faults.push(`${surface} has no such check`);
    else
      faults.push(
        ...leftOutWords.filter((word) => !check.detail.includes(word)).map((word) => `${surface} lacks ${word}`),
      );
  }
  if (!mcp.content[0]!.text.includes('whole_question')) faults.push('the text of the tool lacks the check');
  return faults;
}

const LENSES = ['superstore', 'flights', 'billing', ...DRAFTED.map(({ name }) => name)];
const appOf = (lens: string): TestApp =>
  lens === 'billing' ? billing : ['superstore', 'flights'].includes(lens) ? sample : drafting.app;

describe('a question with unknown words', () => {
  it.each(LENSES)(
    'gets a proposal that keeps all other words, or no proposal: lens %s',
    async (lens) => {
      const app = appOf(lens);
      const count = { whole: 0, garbled: 0, proposed: 0 };
      const faults: string[] = [];
      const questions = (await generateQuestions(app, lens)).flatMap((of, at) =>
        of.map((whole, nth) => ({ whole, turn: at + nth })),
      );
      for (const { whole, turn } of questions) {
        const originalAnswer = await query(app, lens, whole);
        if (originalAnswer.status !== 'answered') continue;
        count.whole++;
        for (const { q, unknown } of garbleQuestion(whole, turn)) {
          const say = (fault: string): number => faults.push(`${q}: ${fault}`);
          const { status, confidence, proposal, answer } = await query(app, lens, q);
          count.garbled++;
          if (status === 'answered' && confidence === 'verified') say('is verified');
          if (status !== 'refused') continue;
          for (const word of unknown) if (!answer?.includes(word)) say(`is refused without ${word}`);
          if (!proposal) continue;
          count.proposed++;
          const { answers, ...plan } = proposal.plan;
          if (answers?.question !== q) say('is not the question that is answered');
          if (String(CASED(answers?.leaves_out ?? [])) !== String(CASED(unknown)))
            say(`leaves out ${answers?.leaves_out}`);
          // The plan must express all known words, and nothing else.
          if (!isDeepStrictEqual(plan, originalAnswer.plan))
            say(`${JSON.stringify(plan)} of ${JSON.stringify(originalAnswer.plan)}`);
          if (count.proposed % 3 === 0) for (const fault of await sendProposal(app, lens, proposal)) say(fault);
        }
      }
      console.info(
        `${lens}: ${Object.entries(count)
          .map(([of, many]) => `${many} ${of}`)
          .join(', ')}`,
      );
      expect(faults).toEqual([]);
      expect(count.proposed).toBeGreaterThan(count.garbled / 4);
    },
    300_000,
  );
});
