// Checks averages such as "average tickets per account" if some accounts have no tickets. Counting such accounts as
// zeros would change the average.

import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { periodConditions } from '../../../plan/filters.ts';
import { createEmptyPlan, isOverGroups, type LensPlan } from '../../../plan/lens-plan.ts';
import type { Verdict } from '../../outcome.ts';
import { type AnswerCheck, passVerdict, warningVerdict } from '../check.ts';
import { mainDatasetOfMeasure } from './home-of-measure.ts';

export const groupsComplete: AnswerCheck = {
  name: 'groups_complete',
  critical: false,
  checkPlan(plan, probes) {
    const excludedPlan = plan.plan === 'compiled' ? excludedGroupsPlan(plan.grantedLens.lens, plan.lensPlan) : null;
    return excludedPlan && probes.count(excludedPlan.lensPlan).then((count) => verdictOf(count, excludedPlan.name));
  },
};

const verdictOf = (count: number, name: string): Verdict =>
  count > 0
    ? warningVerdict(`${count} ${name} have no value to average, so the mean covers only the others.`)
    : passVerdict('Every group in the average has a value.');

/** A plan that counts the groups without rows to average. */
function excludedGroupsPlan(lens: Lens, lensPlan: LensPlan): { name: string; lensPlan: LensPlan } | null {
  const [meanMeasure] = lensPlan.measures;
  if (!meanMeasure || !isOverGroups(meanMeasure) || meanMeasure.every || meanMeasure.by || meanMeasure.having?.length)
    return null;
  const [groupDataset] = meanMeasure.per ?? [];
  if (groupDataset === undefined) return null;
  const mainDataset = mainDatasetOfMeasure(lens, meanMeasure.of);
  // If a role of a dataset forms the groups, "no rows" isn't well defined: a group can have rows in one relationship
  // and none in another.
  if (!mainDataset || mainDataset === groupDataset || datasetOfPath(lens, groupDataset)?.name !== groupDataset)
    return null;
  const groupFilters = lensPlan.filters.filter((filter) => 'field' in filter && filter.field.path === groupDataset);
  const where = [
    ...lensPlan.filters.filter((filter) => !groupFilters.includes(filter)),
    ...(lensPlan.time ? periodConditions(lensPlan.time) : []),
  ];
  return {
    name: groupDataset.replaceAll('_', ' '),
    lensPlan: {
      ...createEmptyPlan(),
      measures: [{ fn: 'count', rows: groupDataset }],
      filters: [...groupFilters, { not_exists: mainDataset, where }],
    },
  };
}
