// A model's reading is believed as far as the evals of this lens have shown such readings to be right.
import { className, lowerBound, type Reader, recordOf } from '../../../domain/evals/calibration.ts';
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
    const shown = recordOf(granted.calibration, rule.reader).find((one) => className(one) === own);
    const what = `Model plans ${agreed ? 'with' : 'without'} an agreeing second reading on this lens`;
    if (!shown) {
      const others = granted.calibration.shown.find(({ reader }) => reader.id !== rule.reader.id);
      return untold(
        `${what}: no eval has asked any yet${others ? othersRead(others.reader, rule.reader) : ''} (svc eval).`,
      );
    }
    const bound = lowerBound(shown);
    const detail = `${what}: ${shown.right} of ${shown.of} right, at least ${Math.floor(bound * 100)} %.`;
    if (!rule.classes.includes(own)) return untold(`${detail} Such readings are not graded verified here.`);
    return bound >= rule.lowerBound ? passed(detail) : untold(`${detail} At least ${wanted} % is needed.`);
  },
};

/** What evals have shown is of whoever read then. */
function othersRead(then: Reader, now: Reader): string {
  const [before, since] = [then, now].map(({ models }) => models.join(' and ') || 'none');
  return before === since
    ? ` since the address of ${since} or the words in which it is asked changed`
    : ` of ${since}; what was shown of ${before} does not hold for another model`;
}
