import { type AnswerCheck, failed, notApplicable, passed } from '../check.ts';
import { withoutFanOut } from '../lift/without-fan-out.ts';
import { repeatedIn } from '../statement/aggregates.ts';

/** Checks that no join repeats rows that are counted or summed. */
export const noFanOut: AnswerCheck = {
  name: 'no_fan_out',
  critical: true,
  ofPlan(plan) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan !== 'compiled') return null;
    return plan.lensPlan.measures.length === 0
      ? notApplicable('Nothing is counted or summed.')
      : passed('No join repeats rows of a measure.');
  },
  async ofStatement(reader, plan, probes) {
    const faults = [...new Set(reader.views.flatMap((view) => repeatedIn(reader, view)))];
    if (faults.length === 0) return passed('No join repeats rows that are counted or summed.');
    const query = await probes.tree(plan);
    const instead = query && (await withoutFanOut(plan.granted.lens, query));
    return failed([...faults, ...(instead ? [`This statement avoids it: ${instead}`] : [])].join(' '));
  },
};
