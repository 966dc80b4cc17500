import { isSqlPlan } from '../../outcome.ts';
import { type AnswerCheck, createFailVerdict, createInapplicableVerdict, createPassVerdict } from '../check.ts';

const UNGOVERNED_REASONS = {
  model_sql: 'A language model wrote the SQL, and no one approved its measure.',
  caller_sql: 'The caller wrote the SQL, and no one approved its measure.',
};

export const governedMetricsCheck: AnswerCheck = {
  name: 'governed_metrics',
  critical: false,
  checkPlan(plan) {
    if (plan.readingOrigin.by === 'approval') return createPassVerdict(plan.readingOrigin.detail);
    if (isSqlPlan(plan))
      return createFailVerdict(
        plan.unlike ? `${plan.unlike} ${UNGOVERNED_REASONS[plan.plan]}` : UNGOVERNED_REASONS[plan.plan],
      );
    if (plan.plan === 'compiled' && plan.equals)
      return createPassVerdict(`The SQL is equivalent to this plan: ${JSON.stringify(plan.equals)}`);
    return plan.plan === 'compiled' && plan.lensPlan.measures.length === 0
      ? createInapplicableVerdict('The answer lists rows and has no measure.')
      : createPassVerdict('Every measure is an approved metric or a plain aggregate of an approved field.');
  },
};
