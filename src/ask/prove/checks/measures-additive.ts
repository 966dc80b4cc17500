// Checks that summed values are additive and that averages are valid for their rows.
import { doubtfulMeasures } from '../../../plan/doubtful-measures.ts';
import type { Verdict, WrittenPlan } from '../../outcome.ts';
import { type AnswerCheck, failed, failedWithWarning, passed, undetermined } from '../check.ts';
import type { Probes } from '../probes.ts';
import { unsummedIn } from '../statement/aggregates.ts';

export const measuresAdditive: AnswerCheck = {
  name: 'measures_additive',
  critical: false,
  ofPlan(plan, probes) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan === 'model_sql' || plan.plan === 'caller_sql') return ofStatement(plan, probes);
    if (plan.plan !== 'compiled') return null;
    const doubts = [...plan.unsummed, ...doubtfulMeasures(plan.granted.lens, plan.lensPlan)];
    if (doubts.length > 0) return failedWithWarning(doubts.join(' '));
    return plan.lensPlan.measures.length === 0 ? null : passed('Every summed measure adds up over these rows.');
  },
};

async function ofStatement(plan: WrittenPlan, probes: Probes): Promise<Verdict> {
  const reader = await probes.statement(plan);
  if (!reader) return undetermined(probes.unread);
  const judged = reader.views.map((view) => unsummedIn(reader, view));
  const [fail, unknown] = [judged.flatMap((item) => item.fail), judged.flatMap((item) => item.unknown)];
  if (fail.length > 0) return failed([...new Set([...fail, ...unknown])].join(' '));
  return unknown.length > 0
    ? undetermined([...new Set(unknown)].join(' '))
    : passed('Every summed measure adds up over these rows.');
}
