import { afterAll, beforeAll, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTestApp, type TestApp } from '../support/app.ts';
import { refusedQuestions } from './refused-questions.ts';
let sample: TestApp, billing: TestApp;
beforeAll(async () => {
  sample = await startTestApp({ project: '.' });
  billing = await startTestApp({ project: fileURLToPath(new URL('../fixtures/billing', import.meta.url)) });
});
afterAll(async () => { await sample?.close(); await billing?.close(); });
it('first run', async () => {
  const out: string[] = [];
  for (const one of refusedQuestions) {
    const app = one.lens === 'billing' ? billing : sample;
    const { body } = await app.post(`/v1/lenses/${one.lens}/query`, { q: one.q, format: 'structured' });
    out.push(JSON.stringify({ q: one.q, status: body.status, conf: body.confidence, answer: body.answer, sentence: body.scope?.sentence, rows: body.row_count, clar: body.clarification, sugg: body.suggestions, refusal: body.refusal, err: body.error?.message }));
  }
  writeFileSync('/tmp/doors-first.jsonl', out.join('\n'));
}, 120000);
