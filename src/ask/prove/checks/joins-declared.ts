import { notApplicable, type ProvenBy, passed, untold } from '../check.ts';

export const joinsDeclared: ProvenBy = {
  name: 'joins_declared',
  critical: true,
  ofPlan(plan) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan === 'model_sql') return untold('Whether its joins are declared relationships is not proven.');
    if (plan.plan === 'caller_sql')
      return notApplicable('The joins of the caller’s own statement are not compared with those of the lens.');
    const { joins } = plan.scope;
    return joins.length === 0
      ? notApplicable('No join.')
      : passed(`Joined along declared relationships: ${joins.join('; ')}.`);
  },
};
