// Proves an answer. Checks of the plan run while svc fetches its rows. The other checks run on the rows.
import type { Check } from '../../contract/ask.ts';
import { Problem } from '../../platform/problem.ts';
import { type FetchedRows, isSqlPlan, type Plan, type SqlPlan, type Verdict } from '../outcome.ts';
import { type AnswerCheck, type CheckVerdict, createUnknownVerdict } from './check.ts';
import { countedOnceCheck } from './checks/counted-once.ts';
import { dataFreshCheck } from './checks/data-fresh.ts';
import { definitionsKnownCheck } from './checks/definitions-known.ts';
import { factsConfirmedCheck } from './checks/facts-confirmed.ts';
import { governedMetricsCheck } from './checks/governed-metrics.ts';
import { groupsCompleteCheck } from './checks/groups-complete.ts';
import { joinsDeclaredCheck } from './checks/joins-declared.ts';
import { lensScopeCheck } from './checks/lens-scope.ts';
import { measuresAdditiveCheck } from './checks/measures-additive.ts';
import { namesDistinctCheck } from './checks/names-distinct.ts';
import { noFanOutCheck } from './checks/no-fan-out.ts';
import { nullsStatedCheck } from './checks/nulls-stated.ts';
import { questionCoveredCheck } from './checks/question-covered.ts';
import { readingProvenCheck } from './checks/reading-proven.ts';
import { rowsCompleteCheck } from './checks/rows-complete.ts';
import { termsResolvedCheck } from './checks/terms-resolved.ts';
import { valuesKnownCheck } from './checks/values-known.ts';
import { wholeQuestionCheck } from './checks/whole-question.ts';
import { wordsMeanCheck } from './checks/words-mean.ts';
import type { Probes } from './probes.ts';

/** All checks, in the order in which answers show them. */
const CHECKS: readonly AnswerCheck[] = [
  lensScopeCheck,
  questionCoveredCheck,
  wordsMeanCheck,
  termsResolvedCheck,
  definitionsKnownCheck,
  valuesKnownCheck,
  governedMetricsCheck,
  factsConfirmedCheck,
  measuresAdditiveCheck,
  joinsDeclaredCheck,
  noFanOutCheck,
  namesDistinctCheck,
  nullsStatedCheck,
  groupsCompleteCheck,
  countedOnceCheck,
  wholeQuestionCheck,
  readingProvenCheck,
  rowsCompleteCheck,
  dataFreshCheck,
];

/** The result of each check in order, or null if a check doesn't apply. */
export type Proof = readonly (Verdict | null)[];

export const provePlan = (plan: Plan, probes: Probes): Promise<Proof> =>
  awaitVerdicts(
    CHECKS.map((check) =>
      runCheckSafely(() =>
        check.checkStatement && isSqlPlan(plan) ? proveStatement(check, plan, probes) : check.checkPlan(plan, probes),
      ),
    ),
  );

async function proveStatement(check: AnswerCheck, plan: SqlPlan, probes: Probes): Promise<Verdict | null> {
  const reader = await probes.analyzeStatement(plan);
  return reader ? check.checkStatement!(reader, plan, probes) : createUnknownVerdict(probes.unread);
}

export const proveRows = (proof: Proof, fetchedRows: FetchedRows, probes: Probes): Promise<Proof> =>
  awaitVerdicts(
    CHECKS.map((check, index) => {
      const verdict = proof[index] ?? null;
      return check.checkRows ? runCheckSafely(() => check.checkRows!(fetchedRows, verdict, probes)) : verdict;
    }),
  );

const ROW_CHECKS: ReadonlySet<AnswerCheck> = new Set([rowsCompleteCheck, dataFreshCheck]);

export const toDryRunProof = (proof: Proof): Proof =>
  proof.map(
    (verdict, index) =>
      verdict ?? (ROW_CHECKS.has(CHECKS[index]!) ? createUnknownVerdict('A dry run fetches no rows.') : null),
  );

/** Waits only for checks that returned a promise, because a promise costs more than a synchronous check. */
async function awaitVerdicts(verdicts: CheckVerdict[]): Promise<Proof> {
  const proof: (Verdict | null)[] = [];
  const pending: Promise<void>[] = [];
  for (const [index, checkVerdict] of verdicts.entries()) {
    if (checkVerdict instanceof Promise)
      pending.push(
        checkVerdict.then((verdict) => {
          proof[index] = verdict;
        }),
      );
    else proof[index] = checkVerdict;
  }
  if (pending.length > 0) await Promise.all(pending);
  return proof;
}

export const listChecks = (proof: Proof): Check[] =>
  CHECKS.flatMap(({ name, critical }, index) => {
    const verdict = proof[index];
    if (!verdict) return [];
    const { outcome, detail, facts } = verdict;
    return [{ name, outcome, critical, detail, ...(facts && { facts }) }];
  });

export const listWarnings = (proof: Proof): string[] => proof.flatMap((verdict) => verdict?.warning ?? []);

const UNPROVEN_FAULT_CODES = new Set(['timeout', 'upstream', 'unreachable', 'rate_limited']);

/** If the warehouse doesn't respond in time, the result of the check is unknown, but svc still returns the answer. */
function runCheckSafely(runCheck: () => CheckVerdict): CheckVerdict {
  try {
    const verdict = runCheck();
    return verdict instanceof Promise ? verdict.catch(toUnknownVerdict) : verdict;
  } catch (fault) {
    return toUnknownVerdict(fault);
  }
}

/** Returns a rejected promise instead of throwing, because other checks may already be running. */
async function toUnknownVerdict(fault: unknown): Promise<Verdict> {
  if (!(fault instanceof Problem && UNPROVEN_FAULT_CODES.has(fault.code))) throw fault;
  return createUnknownVerdict('The warehouse did not respond in time.');
}
