// Some orders with Furniture lines also have other lines. "orders without Furniture" counts these orders because of
// their other lines, so the answer states their number.

import type { Lens } from '../../../lens/model/lens.ts';
import {
  type Condition,
  emptyPlan,
  type Filter,
  type LensPlan,
  type Measure,
  metricAlone,
} from '../../../plan/lens-plan.ts';
import type { Verdict } from '../../outcome.ts';
import { type AnswerCheck, failedWithWarning, passed } from '../check.ts';
import type { Probes } from '../probes.ts';
import { homeOfMeasure } from './home-of-measure.ts';

const OPPOSITE_OPERATORS = { '!=': '=', not_in: 'in' } as const;
/** A condition that excludes rows, the opposite condition, and the words for those rows. */
interface Exclusion {
  without: Filter;
  reversed: Filter;
  said: string;
}

export const countedOnce: AnswerCheck = {
  name: 'counted_once',
  critical: false,
  ofPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { lensPlan, granted } = plan;
    const [measure] = lensPlan.measures;
    const without = measure ? onlyExclusion(granted.lens, lensPlan) : null;
    return measure && without ? countBoth(measure, without, lensPlan, probes) : null;
  },
};

async function countBoth(measure: Measure, without: Exclusion, lensPlan: LensPlan, probes: Probes): Promise<Verdict> {
  const others = lensPlan.filters.filter((filter) => filter !== without.without);
  const filterSets = [[without.without], [without.reversed], []];
  const [left, reversed, all] = await Promise.all(
    filterSets.map((filterSet) =>
      probes.count({ ...emptyPlan(), measures: [measure], filters: [...others, ...filterSet], time: lensPlan.time }),
    ),
  );
  const both = left! + reversed! - all!;
  return both > 0
    ? failedWithWarning(
        `${both} of those counted also have rows ${without.said}; svc counts them because of their other rows.`,
      )
    : passed(`None of those counted has rows ${without.said}.`);
}

/** The only condition that excludes rows from a distinct count. Null if there are several. */
function onlyExclusion(lens: Lens, { measures, filters }: LensPlan): Exclusion | null {
  const [measure, second] = measures;
  if (!measure || second || !countsDifferent(lens, measure)) return null;
  const homeDataset = homeOfMeasure(lens, measure);
  const [only, other] = filters.flatMap((filter) => exclusionOf(filter, homeDataset) ?? []);
  return only && !other ? only : null;
}

function exclusionOf(without: Filter, homeDataset: string | null): Exclusion | null {
  if ('field' in without) {
    const { field, op, than, values } = without;
    if (field.path !== homeDataset || than || !(op === '!=' || op === 'not_in')) return null;
    const reversed: Filter = { ...without, op: OPPOSITE_OPERATORS[op], or_null: undefined };
    return { without, reversed, said: `with ${values.join(' or ')}` };
  }
  if (!('any' in without)) return null;
  const [before, after] = without.any;
  if (!before || !('field' in before) || !after || !('field' in after) || before.field.path !== homeDataset)
    return null;
  if (before.op !== '<' || after.op !== '>=') return null;
  const periodConditions: Condition[] = [
    { ...before, op: '>=' },
    { ...after, op: '<' },
  ];
  return { without, reversed: { all: periodConditions }, said: 'in the excluded period' };
}

const countsDifferent = (lens: Lens, measure: Measure): boolean =>
  (measure.fn === 'count_distinct' && !measure.where) ||
  lens.metrics.some(
    ({ name, expression }) => name === metricAlone(measure) && /^\s*count\s*\(\s*distinct\b/i.test(expression),
  );
