// Checks that summed values are additive and that averages are valid for their rows.
import { findDoubtfulMeasures } from '../../../plan/doubtful-measures.ts';
import { type AnswerCheck, failVerdict, passVerdict, unknownVerdict, warningVerdict } from '../check.ts';
import { findAdditivityFaults } from '../statement/aggregates.ts';

const ADDITIVE_DETAIL = 'Every summed measure is additive over these rows.';

export const measuresAdditiveCheck: AnswerCheck = {
  name: 'measures_additive',
  critical: false,
  checkPlan(plan) {
    if (plan.readingOrigin.by === 'approval') return passVerdict(plan.readingOrigin.detail);
    if (plan.plan !== 'compiled') return null;
    const doubts = [...plan.sumDoubts, ...findDoubtfulMeasures(plan.grantedLens.lens, plan.lensPlan)];
    if (doubts.length > 0) return warningVerdict(doubts.join(' '));
    return plan.lensPlan.measures.length === 0 ? null : passVerdict(ADDITIVE_DETAIL);
  },
  checkStatement(reader) {
    const sumVerdicts = reader.views.map((view) => findAdditivityFaults(reader, view));
    const [fail, unknown] = [sumVerdicts.flatMap((item) => item.failures), sumVerdicts.flatMap((item) => item.unknown)];
    if (fail.length > 0) return failVerdict([...new Set([...fail, ...unknown])].join(' '));
    return unknown.length > 0 ? unknownVerdict([...new Set(unknown)].join(' ')) : passVerdict(ADDITIVE_DETAIL);
  },
};
