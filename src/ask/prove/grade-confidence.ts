// Confidence follows from named checks alone, never from anybody's say-so (SPEC "confidence", CONTRACT 4).
// Any failed critical check: unverified. All applicable ones passed: verified. Otherwise partial.
import type { Check, Envelope } from '../../contract/ask.ts';
import type { FetchedRows, Graded } from '../outcome.ts';
import { beyondData } from './checks/data-fresh.ts';
import { checksOf, type Proof, warningsOf } from './prove.ts';

export function gradeConfidence(proof: Proof, fetched: FetchedRows): Graded {
  const checks = checksOf(proof);
  return {
    checks,
    warnings: warningsOf(proof),
    confidence: confidenceOf(checks, fetched.plan.plan),
    certification: certificationOf(fetched),
    empty: fetched.rows.length === 0 ? { reason: emptyReason(fetched, checks) } : null,
  };
}

function confidenceOf(checks: Check[], plan: FetchedRows['plan']['plan']): Envelope['confidence'] {
  if (plan === 'caller_sql') return 'unverified';
  if (checks.some((check) => check.critical && check.outcome === 'fail')) return 'unverified';
  const applicable = checks.filter((check) => check.outcome !== 'not_applicable');
  return applicable.every((check) => check.outcome === 'pass') ? 'verified' : 'partial';
}

function certificationOf({ plan }: FetchedRows): Envelope['certification'] {
  if (plan.plan === 'certified') return 'certified';
  if (plan.plan === 'compiled') return 'assisted';
  return plan.plan === 'model_sql' && plan.assisted ? 'assisted' : 'none';
}

// A policy that applied is named whether or not it hid anything: which of the two it was is not the asker's to learn.
function emptyReason({ plan, dataAsOf }: FetchedRows, checks: Check[]): NonNullable<Envelope['empty']>['reason'] {
  if (plan.scope.row_policies.length > 0) return 'filtered_by_policy';
  if (checks.some(({ name, outcome }) => name === 'values_known' && outcome === 'fail')) return 'value_absent';
  if (beyondData(plan.scope, dataAsOf)) return 'source_stale';
  return 'no_matching_rows';
}
