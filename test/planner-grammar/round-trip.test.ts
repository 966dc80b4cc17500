// svc writes plans over thirty lenses as sentences and interprets the sentences, also in other wordings of the same
// constructions. A wording may be graded verified only if it reads back as its plan and never as another one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { pageOfConstructions } from '../support/page-of-constructions.ts';
import { type Proof, prove, provenFile } from '../support/prove-constructions.ts';
import { findUntypable } from '../support/type-by-completion.ts';

const KEPT = join(import.meta.dirname, '../../src/reader/english/proven-patterns.ts');
const PAGE = join(import.meta.dirname, '../../docs/what-you-can-ask.md');
const ACCEPT = 'ACCEPT_PROVEN=1 npx vitest run test/planner-grammar/round-trip.test.ts';
const proof: Proof = prove({ plans: 5000, wordings: 8 });
if (process.env['ACCEPT_PROVEN']) writeFileSync(KEPT, provenFile(proof));

test('writes each plan as one sentence, and reads it back as that plan only', () => {
  expect(proof.differences).toEqual([]);
  expect(proof.alternatives).toEqual([]);
  expect(proof.cut).toBeLessThan(proof.plans / 300);
});
test('never reads another wording of the same constructions as another plan', () => {
  expect(proof.wordings).toBeGreaterThan(1500);
  expect(proof.misread).toEqual([]);
});
test('keeps the list of proven constructions equal to the proof', () => {
  expect(provenFile(proof), `To accept: ${ACCEPT}`).toBe(readFileSync(KEPT, 'utf8'));
  const patternCounts = new Map(CONSTRUCTIONS.map(({ id, patterns }) => [id, patterns.length]));
  for (const [id, patterns] of proof.proven) expect(patterns.at(-1)).toBeLessThan(patternCounts.get(id) ?? 0);
});

test('keeps docs/what-you-can-ask.md equal to the constructions', () => {
  if (process.env['ACCEPT_PROVEN']) writeFileSync(PAGE, pageOfConstructions(proof));
  expect(pageOfConstructions(proof), `To accept: ${ACCEPT}`).toBe(readFileSync(PAGE, 'utf8'));
});

test('completes sentences from its suggestions alone', () => {
  expect(findUntypable({ sentences: 30, seed: 9 })).toEqual([]);
});
