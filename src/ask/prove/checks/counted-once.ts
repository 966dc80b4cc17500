// Some orders with Furniture lines also have other lines. "orders without Furniture" counts these orders because of
// their other lines, so the answer states how many such orders it counts.

import type { Lens } from '../../../lens/model/lens.ts';
import {
  type Condition,
  createEmptyPlan,
  type Filter,
  type LensPlan,
  type Measure,
  plainMetricName,
} from '../../../plan/lens-plan.ts';
import type { Verdict } from '../../outcome.ts';
import { type AnswerCheck, passVerdict, warningVerdict } from '../check.ts';
import type { Probes } from '../probes.ts';
import { mainDatasetOfMeasure } from './home-of-measure.ts';
import { checkRowsOfParts } from './rows-of-parts.ts';

const OPPOSITE_OPERATORS = { '!=': '=', not_in: 'in' } as const;
/** A condition that excludes rows, the opposite condition, and the words for those rows. */
interface Exclusion {
  filter: Filter;
  reversedFilter: Filter;
  description: string;
}

export const countedOnce: AnswerCheck = {
  name: 'counted_once',
  critical: false,
  checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { lensPlan, grantedLens } = plan;
    const [measure] = lensPlan.measures;
    const exclusion = measure ? onlyExclusion(grantedLens.lens, lensPlan) : null;
    return measure && exclusion ? checkOverlap(measure, exclusion, lensPlan, probes) : checkRowsOfParts(plan, probes);
  },
};

async function checkOverlap(
  measure: Measure,
  exclusion: Exclusion,
  lensPlan: LensPlan,
  probes: Probes,
): Promise<Verdict> {
  const otherFilters = lensPlan.filters.filter((filter) => filter !== exclusion.filter);
  const filterSets = [[exclusion.filter], [exclusion.reversedFilter], []];
  const [remainingCount, reversedCount, totalCount] = await Promise.all(
    filterSets.map((filterSet) =>
      probes.count({
        ...createEmptyPlan(),
        measures: [measure],
        filters: [...otherFilters, ...filterSet],
        time: lensPlan.time,
      }),
    ),
  );
  const overlap = remainingCount! + reversedCount! - totalCount!;
  return overlap > 0
    ? warningVerdict(
        `${overlap} of the counted items also ${overlap === 1 ? 'has' : 'have'} rows ${exclusion.description}; svc counts them because of their other rows.`,
      )
    : passVerdict(`No counted item has rows ${exclusion.description}.`);
}

/** Returns the condition that excludes rows from a distinct count. Null if there isn't exactly one. */
function onlyExclusion(lens: Lens, { measures, filters }: LensPlan): Exclusion | null {
  const [measure, second] = measures;
  if (!measure || second || !isDistinctCount(lens, measure)) return null;
  const mainDataset = mainDatasetOfMeasure(lens, measure);
  const [exclusion, otherExclusion] = filters.flatMap((filter) => exclusionOf(filter, mainDataset) ?? []);
  return exclusion && !otherExclusion ? exclusion : null;
}

function exclusionOf(filter: Filter, mainDataset: string | null): Exclusion | null {
  if ('field' in filter) {
    const { field, op, than, values } = filter;
    if (field.path !== mainDataset || than || !(op === '!=' || op === 'not_in')) return null;
    const reversedFilter: Filter = { ...filter, op: OPPOSITE_OPERATORS[op], or_null: undefined };
    return { filter, reversedFilter, description: `where ${field.field} is ${values.join(' or ')}` };
  }
  if (!('any' in filter)) return null;
  const [before, after] = filter.any;
  if (!before || !('field' in before) || !after || !('field' in after) || before.field.path !== mainDataset)
    return null;
  if (before.op !== '<' || after.op !== '>=') return null;
  const periodConditions: Condition[] = [
    { ...before, op: '>=' },
    { ...after, op: '<' },
  ];
  return { filter, reversedFilter: { all: periodConditions }, description: 'in the excluded period' };
}

const isDistinctCount = (lens: Lens, measure: Measure): boolean =>
  (measure.fn === 'count_distinct' && !measure.where) ||
  lens.metrics.some(
    ({ name, expression }) => name === plainMetricName(measure) && /^\s*count\s*\(\s*distinct\b/i.test(expression),
  );
