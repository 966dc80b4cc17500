import { type ProvenBy, untold } from '../check.ts';

/** Of what a model read, and of the rest where a second reading was asked for. */
export const readingsAgree: ProvenBy = {
  name: 'readings_agree',
  critical: false,
  ofPlan(plan) {
    if (plan.plan !== 'compiled') return null;
    if (plan.read.by !== 'model' || plan.second?.outcome === 'fail') return plan.second ?? null;
    if (plan.second?.outcome === 'pass') return plan.second;
    return untold(plan.second?.detail ?? 'No second reading was asked for: what else is proven does not suffice.');
  },
};
