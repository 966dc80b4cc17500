import { type AnswerCheck, failVerdict, inapplicableVerdict, passVerdict } from '../check.ts';
import { findRepetitionFaults } from '../statement/aggregates.ts';

/** Checks that no join repeats rows that are counted or summed. */
export const noFanOutCheck: AnswerCheck = {
  name: 'no_fan_out',
  critical: true,
  checkPlan(plan) {
    if (plan.readingOrigin.by === 'approval') return passVerdict(plan.readingOrigin.detail);
    if (plan.plan !== 'compiled') return null;
    return plan.lensPlan.measures.length === 0
      ? inapplicableVerdict('Nothing is counted or summed.')
      : passVerdict('No join repeats rows of a measure.');
  },
  checkStatement(reader) {
    const faults = [...new Set(reader.views.flatMap((view) => findRepetitionFaults(reader, view)))];
    return faults.length === 0
      ? passVerdict('No join repeats rows that are counted or summed.')
      : failVerdict(faults.join(' '));
  },
};
