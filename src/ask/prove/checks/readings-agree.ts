import type { ProvenBy } from '../check.ts';

/** Only where a second reading was asked for. */
export const readingsAgree: ProvenBy = {
  name: 'readings_agree',
  critical: false,
  ofPlan: (plan) => (plan.plan === 'compiled' ? (plan.second ?? null) : null),
};
