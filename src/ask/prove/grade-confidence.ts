// Derives the grade from named checks only, never from the claims of a model. unverified: a critical check failed.
// verified: all applicable checks passed. partial: otherwise.
import type { Check, Envelope } from '../../contract/ask.ts';
import type { FetchedRows, Grading, Plan } from '../outcome.ts';
import { startsAfterDataEnds } from './checks/data-fresh.ts';
import { listChecks, listWarnings, type Proof, toDryRunProof } from './prove.ts';

/**
 * `judgedRows` are the rows with the columns of the equivalent plan. If there is no equivalent plan, they are the
 * fetched rows.
 */
export function gradeConfidence(proof: Proof, judgedRows: FetchedRows, fetchedRows: FetchedRows): Grading {
  const grading = gradePlan(proof, judgedRows.plan.plan, fetchedRows.plan);
  return {
    ...grading,
    empty: hasNoRows(fetchedRows) ? { reason: findEmptyReason(fetchedRows, grading.checks) } : null,
  };
}

/** A dry run is at most partial, because svc can't check the rows. */
export const gradeDryRun = (proof: Proof, plan: Plan, hasEqualPlan: boolean): Grading => ({
  ...gradePlan(toDryRunProof(proof), hasEqualPlan ? 'compiled' : plan.plan, plan),
  empty: null,
});

function gradePlan(proof: Proof, judgedAs: Plan['plan'], plan: Plan): Omit<Grading, 'empty'> {
  const isWrittenSql = judgedAs === 'caller_sql' || judgedAs === 'model_sql';
  const checks = isWrittenSql ? sortUnprovenFirst(listChecks(proof)) : listChecks(proof);
  return {
    checks,
    warnings: listWarnings(proof),
    confidence: deriveConfidence(checks, judgedAs),
    certification: deriveCertification(plan),
  };
}

/** The checks that SQL of a caller or model must pass for a better grade than unverified. */
const STATEMENT_CHECKS = new Set(['joins_declared', 'no_fan_out', 'values_known', 'measures_additive']);
const isProven = ({ outcome }: Check): boolean => outcome === 'pass' || outcome === 'not_applicable';

function deriveConfidence(checks: Check[], plan: Plan['plan']): Envelope['confidence'] {
  if (plan === 'caller_sql' || plan === 'model_sql')
    return checks.every((check) => !STATEMENT_CHECKS.has(check.name) || isProven(check)) ? 'partial' : 'unverified';
  if (checks.some((check) => check.critical && check.outcome === 'fail')) return 'unverified';
  return checks.every(isProven) ? 'verified' : 'partial';
}

const sortUnprovenFirst = (checks: Check[]): Check[] =>
  checks.toSorted(
    (a, b) =>
      Number(isProven(a) || !STATEMENT_CHECKS.has(a.name)) - Number(isProven(b) || !STATEMENT_CHECKS.has(b.name)),
  );

function deriveCertification(plan: Plan): Envelope['certification'] {
  if (plan.plan === 'certified') return 'certified';
  if (plan.plan === 'compiled') return 'assisted';
  return plan.plan === 'model_sql' && plan.usedExamples ? 'assisted' : 'none';
}

/** Returns false if the only row was too large to fetch. */
const hasNoRows = ({ rows, more, bytesCut }: FetchedRows): boolean => rows.length === 0 && !more && !bytesCut;

// Always names an applied policy, because the caller must not learn whether the policy hid rows.
function findEmptyReason({ plan, dataAsOf }: FetchedRows, checks: Check[]): NonNullable<Envelope['empty']>['reason'] {
  if (plan.scope.row_policies.length > 0) return 'filtered_by_policy';
  if (checks.some(({ name, outcome }) => name === 'values_known' && outcome === 'fail')) return 'value_absent';
  if (startsAfterDataEnds(plan, dataAsOf)) return 'source_stale';
  return 'no_matching_rows';
}
