// Proves an answer. Checks of the plan run while svc fetches its rows. The other checks run on the rows.
import type { Check } from '../../contract/ask.ts';
import { Problem } from '../../platform/problem.ts';
import { type FetchedRows, isWrittenPlan, type Plan, type Verdict, type WrittenPlan } from '../outcome.ts';
import { type AnswerCheck, type CheckVerdict, unknownVerdict } from './check.ts';
import { countedOnce } from './checks/counted-once.ts';
import { dataFresh } from './checks/data-fresh.ts';
import { definitionsKnown } from './checks/definitions-known.ts';
import { factsConfirmed } from './checks/facts-confirmed.ts';
import { governedMetrics } from './checks/governed-metrics.ts';
import { groupsComplete } from './checks/groups-complete.ts';
import { joinsDeclared } from './checks/joins-declared.ts';
import { lensScope } from './checks/lens-scope.ts';
import { measuresAdditive } from './checks/measures-additive.ts';
import { namesDistinct } from './checks/names-distinct.ts';
import { noFanOut } from './checks/no-fan-out.ts';
import { nullsStated } from './checks/nulls-stated.ts';
import { questionCovered } from './checks/question-covered.ts';
import { readingProven } from './checks/reading-proven.ts';
import { rowsComplete } from './checks/rows-complete.ts';
import { termsResolved } from './checks/terms-resolved.ts';
import { valuesKnown } from './checks/values-known.ts';
import { wholeQuestion } from './checks/whole-question.ts';
import { wordsMean } from './checks/words-mean.ts';
import type { Probes } from './probes.ts';

/** All checks, in the order in which answers show them. */
const CHECKS: readonly AnswerCheck[] = [
  lensScope,
  questionCovered,
  wordsMean,
  termsResolved,
  definitionsKnown,
  valuesKnown,
  governedMetrics,
  factsConfirmed,
  measuresAdditive,
  joinsDeclared,
  noFanOut,
  namesDistinct,
  nullsStated,
  groupsComplete,
  countedOnce,
  wholeQuestion,
  readingProven,
  rowsComplete,
  dataFresh,
];

/** The result of each check in order, or null if a check doesn't apply. */
export type Proof = readonly (Verdict | null)[];

export const provePlan = (plan: Plan, probes: Probes): Promise<Proof> =>
  awaitVerdicts(
    CHECKS.map((check) =>
      runCheckSafely(() =>
        check.checkStatement && isWrittenPlan(plan)
          ? proveStatement(check, plan, probes)
          : check.checkPlan(plan, probes),
      ),
    ),
  );

async function proveStatement(check: AnswerCheck, plan: WrittenPlan, probes: Probes): Promise<Verdict | null> {
  const reader = await probes.analyzeStatement(plan);
  return reader ? check.checkStatement!(reader, plan, probes) : unknownVerdict(probes.unread);
}

export const proveRows = (proof: Proof, fetchedRows: FetchedRows, probes: Probes): Promise<Proof> =>
  awaitVerdicts(
    CHECKS.map((check, index) => {
      const verdict = proof[index] ?? null;
      return check.checkRows ? runCheckSafely(() => check.checkRows!(fetchedRows, verdict, probes)) : verdict;
    }),
  );

const ROW_CHECKS: ReadonlySet<AnswerCheck> = new Set([rowsComplete, dataFresh]);

/** The proof of a dry run. */
export const toDryRunProof = (proof: Proof): Proof =>
  proof.map(
    (verdict, index) =>
      verdict ?? (ROW_CHECKS.has(CHECKS[index]!) ? unknownVerdict('A dry run fetches no rows.') : null),
  );

/** Waits only for asynchronous checks, because a promise costs more than a synchronous check. */
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

export const checksOf = (proof: Proof): Check[] =>
  CHECKS.flatMap(({ name, critical }, index) => {
    const verdict = proof[index];
    if (!verdict) return [];
    const { outcome, detail, facts } = verdict;
    return [{ name, outcome, critical, detail, ...(facts && { facts }) }];
  });

export const warningsOf = (proof: Proof): string[] => proof.flatMap((verdict) => verdict?.warning ?? []);

const UNPROVEN_FAULTS = new Set(['timeout', 'upstream', 'unreachable', 'rate_limited']);

/** If the warehouse doesn't respond in time, the check is unproven, but svc still returns the answer. */
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
  if (!(fault instanceof Problem && UNPROVEN_FAULTS.has(fault.code))) throw fault;
  return unknownVerdict('The warehouse did not respond in time.');
}
