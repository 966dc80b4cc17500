import { isWritten } from '../../outcome.ts';
import { type AnswerCheck, failed, notApplicable, passed } from '../check.ts';

const UNGOVERNED_REASONS = {
  model_sql: 'A language model wrote the SQL. Its measure is not an approved metric.',
  caller_sql: 'The SQL comes from the request. No one approved its measure.',
};

export const governedMetrics: AnswerCheck = {
  name: 'governed_metrics',
  critical: false,
  ofPlan(plan) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (isWritten(plan))
      return failed(plan.unlike ? `${plan.unlike} ${UNGOVERNED_REASONS[plan.plan]}` : UNGOVERNED_REASONS[plan.plan]);
    if (plan.plan === 'compiled' && plan.equals)
      return passed(`The SQL equals this plan: ${JSON.stringify(plan.equals)}`);
    return plan.plan === 'compiled' && plan.lensPlan.measures.length === 0
      ? notApplicable('The answer lists rows and has no measure.')
      : passed('Every measure is an approved metric or a plain aggregate of an approved field.');
  },
};
