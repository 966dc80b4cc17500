// A model's reading is believed as far as the evals of this lens have shown such readings to be right.
import { className, lowerBound } from '../../../domain/evals/calibration.ts';
import { type ProvenBy, passed, untold } from '../check.ts';

export const readingEarned: ProvenBy = {
  name: 'reading_earned',
  critical: false,
  ofPlan(plan) {
    const proof = plan.read.by === 'model' ? plan.read.proof : undefined;
    if (plan.plan !== 'compiled' || !proof) return null;
    const { granted, second } = plan;
    const { rule } = proof;
    const agreed = second?.outcome === 'pass' ? true : second?.outcome === 'fail' ? false : null;
    const wanted = Math.round(rule.lowerBound * 1000) / 10;
    const own = className({ read_by: 'model', plan: 'compiled', agreed });
    const shown = granted.calibration.find((one) => className(one) === own);
    const what = `Model plans ${agreed ? 'with' : 'without'} an agreeing second reading on this lens`;
    if (!shown) return untold(`${what}: no eval has asked any yet (svc eval).`);
    const bound = lowerBound(shown);
    const detail = `${what}: ${shown.right} of ${shown.of} right, at least ${Math.floor(bound * 100)} %.`;
    if (!rule.classes.includes(own)) return untold(`${detail} Such readings are not graded verified here.`);
    return bound >= rule.lowerBound ? passed(detail) : untold(`${detail} At least ${wanted} % is needed.`);
  },
};
