// Checks that summed values are additive and that averages are valid for their rows.
import { doubtfulMeasures } from '../../../plan/doubtful-measures.ts';
import { type AnswerCheck, failed, failedWithWarning, passed, undetermined } from '../check.ts';
import { unsummedIn } from '../statement/aggregates.ts';

const ADDITIVE = 'Every summed measure adds up over these rows.';

export const measuresAdditive: AnswerCheck = {
  name: 'measures_additive',
  critical: false,
  ofPlan(plan) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan !== 'compiled') return null;
    const doubts = [...plan.unsummed, ...doubtfulMeasures(plan.granted.lens, plan.lensPlan)];
    if (doubts.length > 0) return failedWithWarning(doubts.join(' '));
    return plan.lensPlan.measures.length === 0 ? null : passed(ADDITIVE);
  },
  ofStatement(reader) {
    const judged = reader.views.map((view) => unsummedIn(reader, view));
    const [fail, unknown] = [judged.flatMap((item) => item.fail), judged.flatMap((item) => item.unknown)];
    if (fail.length > 0) return failed([...new Set([...fail, ...unknown])].join(' '));
    return unknown.length > 0 ? undetermined([...new Set(unknown)].join(' ')) : passed(ADDITIVE);
  },
};
