// Proves an answer. Checks of the plan run while its rows are fetched; the others run on the rows.
import type { Check } from '../../contract/ask.ts';
import { Problem } from '../../platform/problem.ts';
import type { FetchedRows, Plan, Verdict } from '../outcome.ts';
import { type ProvenBy, type Said, undetermined } from './check.ts';
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

/** In the order in which answers show them. */
const CHECKS: readonly ProvenBy[] = [
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

/** What each check says, in their order; null where it says nothing. */
export type Proof = readonly (Verdict | null)[];

export const provePlan = (plan: Plan, probes: Probes): Promise<Proof> =>
  Promise.all(CHECKS.map((check) => inTime(() => check.ofPlan(plan, probes))));

export const proveRows = (proof: Proof, fetched: FetchedRows, probes: Probes): Promise<Proof> =>
  Promise.all(
    CHECKS.map((check, at) =>
      check.ofRows ? inTime(() => check.ofRows!(fetched, proof[at] ?? null, probes)) : (proof[at] ?? null),
    ),
  );

export const checksOf = (proof: Proof): Check[] =>
  CHECKS.flatMap(({ name, critical }, at) => {
    const said = proof[at];
    if (!said) return [];
    const { outcome, detail, facts } = said;
    return [{ name, outcome, critical, detail, ...(facts && { facts }) }];
  });

export const warningsOf = (proof: Proof): string[] => proof.flatMap((said) => said?.warning ?? []);

const SLOW = new Set(['timeout', 'upstream', 'unreachable', 'rate_limited']);

/** A warehouse that doesn't answer in time leaves the check unproven, but the answer still goes out. */
async function inTime(ask: () => Said): Promise<Verdict | null> {
  try {
    return await ask();
  } catch (fault) {
    if (!(fault instanceof Problem && SLOW.has(fault.code))) throw fault;
    return undetermined('The warehouse did not respond in time.');
  }
}
