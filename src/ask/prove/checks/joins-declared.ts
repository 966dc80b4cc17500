import type { Verdict, WrittenPlan } from '../../outcome.ts';
import { type AnswerCheck, failed, notApplicable, passed, undetermined } from '../check.ts';
import type { Probes } from '../probes.ts';
import { judgeJoins } from '../statement/joins.ts';

export const joinsDeclared: AnswerCheck = {
  name: 'joins_declared',
  critical: true,
  ofPlan(plan, probes) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan === 'model_sql' || plan.plan === 'caller_sql') return ofStatement(plan, probes);
    const { joins } = plan.scope;
    return joins.length === 0
      ? notApplicable('No join.')
      : passed(`Joined along declared relationships: ${joins.join('; ')}.`);
  },
};

async function ofStatement(plan: WrittenPlan, probes: Probes): Promise<Verdict> {
  const reader = await probes.statement(plan);
  if (!reader) return undetermined(probes.unread);
  const judged = reader.views.map((view) => judgeJoins(plan.granted.lens, view));
  const faults = [...new Set(judged.flatMap((item) => item.faults))];
  const joined = [...new Set(judged.flatMap((item) => item.joined))];
  if (faults.length > 0) return failed(faults.join(' '));
  return joined.length > 0
    ? passed(`Joined along declared relationships: ${joined.join('; ')}.`)
    : notApplicable('No join.');
}
