import type { Verdict, WrittenPlan } from '../../outcome.ts';
import { type AnswerCheck, failed, notApplicable, passed, undetermined } from '../check.ts';
import { withoutFanOut } from '../lift/without-fan-out.ts';
import type { Probes } from '../probes.ts';
import { repeatedIn } from '../statement/aggregates.ts';

/** Checks that no join repeats rows that are counted or summed. */
export const noFanOut: AnswerCheck = {
  name: 'no_fan_out',
  critical: true,
  ofPlan(plan, probes) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan === 'compiled')
      return plan.lensPlan.measures.length === 0
        ? notApplicable('Nothing is counted or summed.')
        : passed('No join repeats rows of a measure.');
    return plan.plan === 'certified' ? null : ofStatement(plan, probes);
  },
};

async function ofStatement(plan: WrittenPlan, probes: Probes): Promise<Verdict> {
  const reader = await probes.statement(plan);
  if (!reader) return undetermined(probes.unread);
  const faults = [...new Set(reader.views.flatMap((view) => repeatedIn(reader, view)))];
  if (faults.length === 0) return passed('No join repeats rows that are counted or summed.');
  const query = await probes.tree(plan);
  const instead = query && (await withoutFanOut(plan.granted.lens, query));
  return failed([...faults, ...(instead ? [`This statement avoids it: ${instead}`] : [])].join(' '));
}
