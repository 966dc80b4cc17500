import { DateTime, Duration } from 'luxon';
import type { Scope } from '../../../contract/ask.ts';
import { type AnswerCheck, failed, notApplicable, passed, undetermined } from '../check.ts';

export const dataFresh: AnswerCheck = {
  name: 'data_fresh',
  critical: false,
  ofPlan: () => null,
  ofRows({ plan, dataAsOf }, _said, { now }) {
    const { freshFor, timezone } = plan.granted.lens;
    if (beyondData(plan.scope, dataAsOf))
      return failed(`The period begins at ${plan.scope.time!.from}, after the data ends (${dataAsOf}).`);
    if (!freshFor) return notApplicable('The lens sets no freshness limit (fresh_for).');
    if (!dataAsOf) return undetermined('The data has no timestamp to check its freshness.');
    const until = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
    const detail = `The data is as of ${dataAsOf}; the freshness limit is ${freshFor}.`;
    return until.toMillis() >= now.getTime() ? passed(detail) : failed(detail);
  },
};

/** Whether the period begins after the data ends. If so, a zero or an empty result has no meaning. */
export const beyondData = ({ time }: Scope, dataAsOf: string | null): boolean =>
  time !== null && dataAsOf !== null && time.from.slice(0, 10) > dataAsOf.slice(0, 10);
