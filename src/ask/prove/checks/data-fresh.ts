import { DateTime, Duration } from 'luxon';
import type { Scope } from '../../../contract/ask.ts';
import { type AnswerCheck, failVerdict, inapplicableVerdict, passVerdict, unknownVerdict } from '../check.ts';

export const dataFresh: AnswerCheck = {
  name: 'data_fresh',
  critical: false,
  checkPlan: () => null,
  ofRows({ plan, dataAsOf }, _verdict, { now }) {
    const { freshFor, timezone } = plan.grantedLens.lens;
    if (isBeyondData(plan.scope, dataAsOf))
      return failVerdict(`The period begins at ${plan.scope.time!.from}, after the data ends (${dataAsOf}).`);
    if (!freshFor) return inapplicableVerdict('The lens sets no freshness limit (fresh_for).');
    if (!dataAsOf) return unknownVerdict('The data has no timestamp, so svc can’t check its freshness.');
    const freshUntil = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
    const detail = `The data is as of ${dataAsOf}; the freshness limit is ${freshFor}.`;
    return freshUntil.toMillis() >= now.getTime() ? passVerdict(detail) : failVerdict(detail);
  },
};

/** Whether the period begins after the data ends. For such a period, a zero or an empty result has no meaning. */
export const isBeyondData = ({ time }: Scope, dataAsOf: string | null): boolean =>
  time !== null && dataAsOf !== null && time.from.slice(0, 10) > dataAsOf.slice(0, 10);
