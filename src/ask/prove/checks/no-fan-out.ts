import { type AnswerCheck, createFailVerdict, createInapplicableVerdict, createPassVerdict } from '../check.ts';
import { suggestSqlWithoutFanOut } from '../lift/suggest-without-fan-out.ts';
import { findRepetitionFaults } from '../statement/aggregates.ts';

/** Checks that no join repeats rows that are counted or summed. */
export const noFanOutCheck: AnswerCheck = {
  name: 'no_fan_out',
  critical: true,
  checkPlan(plan) {
    if (plan.readingOrigin.by === 'approval') return createPassVerdict(plan.readingOrigin.detail);
    if (plan.plan !== 'compiled') return null;
    return plan.lensPlan.measures.length === 0
      ? createInapplicableVerdict('Nothing is counted or summed.')
      : createPassVerdict('No join repeats rows of a measure.');
  },
  async checkStatement(reader, plan, probes) {
    const faults = [...new Set(reader.views.flatMap((view) => findRepetitionFaults(reader, view)))];
    if (faults.length === 0) return createPassVerdict('No join repeats rows that are counted or summed.');
    const query = await probes.parseTree(plan);
    const correctedSql = query && (await suggestSqlWithoutFanOut(plan.grantedLens.lens, query));
    return createFailVerdict(
      [...faults, ...(correctedSql ? [`This statement does not repeat rows: ${correctedSql}`] : [])].join(' '),
    );
  },
};
