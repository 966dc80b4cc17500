// The long version of test/planner-grammar/round-trip.test.ts: 100,000 plans, and twenty faults in the constructions.
import { expect, test } from 'vitest';
import type { Construction } from '../../src/reader/english/construction.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { prove } from '../support/prove-constructions.ts';
import { findUntypable } from '../support/type-by-completion.ts';

test.each([...Array(10).keys()])('reads 10,000 plans of seed %i back from their sentences', (seed) => {
  const { differences, alternatives, misread, cut } = prove({ plans: 10_000, wordings: 0, seed: seed + 2 });
  expect({ differences, alternatives, misread }).toEqual({ differences: [], alternatives: [], misread: [] });
  expect(cut).toBeLessThan(30); // svc declines at most 0.3 % of the sentences, whose parse chart reaches a limit
});

const FAULTS: readonly (readonly [id: string, fault: Partial<Construction>])[] = [
  ['not-value', { meaning: 'ofValue' }],
  ['neither-value', { meaning: 'ofValue' }],
  ['value-or', { patterns: ['{a:value} and {b:value}'] }],
  ['not-flag', { takes: {} }],
  ['compares-between', { meaning: 'compares' }],
  ['has-exactly', { takes: {} }],
  ['text', { takes: { op: 'starts_with' } }],
  ['text-start', { takes: { op: 'contains' } }],
  ['has', { meaning: 'hasNot' }],
  ['has-not', { meaning: 'has' }],
  ['has-count', { takes: { exactly: 'exactly' } }],
  ['ratio', { meaning: 'difference' }],
  ['difference', { meaning: 'ratio' }],
  ['in-value', { meaning: 'notOfValue' }],
  ['latest', { meaning: 'best' }],
  ['running', { meaning: 'sameMeasure' }],
  ['growth', { meaning: 'running' }],
  ['top-by', { meaning: 'withMost' }],
  ['with-most', { meaning: 'topBy' }],
  ['order-by', { patterns: ['ordered by {x:scale} [descending]'] }],
];
test.each(FAULTS)('detects a fault in the construction %s', (id, fault) => {
  const constructions = CONSTRUCTIONS.map((item) => (item.id === id ? { ...item, ...fault } : item));
  expect(constructions).not.toEqual(CONSTRUCTIONS);
  const { differences, alternatives, misread } = prove({ plans: 1500, wordings: 1, constructions, stop: true });
  expect(differences.length + alternatives.length + misread.length).toBeGreaterThan(0);
});

test('completes 200 sentences from its suggestions alone', () => {
  expect(findUntypable({ sentences: 200, seed: 99 })).toEqual([]);
});
