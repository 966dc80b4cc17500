// Compares two results, and explains a difference.
import { expect, it } from 'vitest';
import { compareResults, type ResultRow } from '../../src/domain/evals/compare-results.ts';
import { caseRows } from '../support/case-rows.ts';

type Options = { ordered?: boolean; tolerance?: number; detail?: string };
const ROWS = caseRows<[verdict: string, want: ResultRow[], have: ResultRow[], options?: Options]>(
  import.meta.dirname,
  'compare-results.jsonl',
);

it.each(ROWS)('judges results as %s: %j and %j', (verdict, want, have, options = {}) => {
  const comparison = compareResults(
    { rows: want, ordered: options.ordered ?? false },
    { rows: have },
    options.tolerance,
  );
  const verdictText = comparison.equal ? 'equal' : comparison.reason;
  if (verdict === 'not equal') expect(verdictText).not.toBe('equal');
  else expect(verdictText).toBe(verdict);
  if (options.detail) expect(comparison).toMatchObject({ detail: options.detail });
});
