// Warns about datasets without a row policy that join a dataset with a row policy, because a policy hides rows of one
// dataset only.

import type { ProjectProblem } from '../files/project-problem.ts';
import type { ProblemFactory } from '../files/yaml-file.ts';
import { findPath } from '../model/join-paths.ts';
import type { Lens, LensDataset, RowPolicy } from '../model/lens.ts';

/**
 * Returns a warning for each dataset that joins a dataset with a policy, but has no policy itself for some of the same
 * callers. The warning names one of the policies.
 */
export function findOpenDatasetWarnings(lens: Lens, problemAt: ProblemFactory): ProjectProblem[] {
  return lens.datasets.flatMap((openDataset) => {
    const ownPolicies = lens.rowPolicies.filter(({ dataset }) => dataset === openDataset.name);
    const closingPolicies = lens.rowPolicies.filter(
      (policy) =>
        policy.dataset !== openDataset.name &&
        !ALL_ROWS_FILTER_PATTERN.test(policy.filter) &&
        !coversAllCallers(ownPolicies, policy),
    );
    const outwardPolicies = closingPolicies.filter(({ dataset }) => isReachable(lens, openDataset.name, dataset));
    const inwardPolicies = closingPolicies.filter(({ dataset }) => isReachable(lens, dataset, openDataset.name));
    const [policy] = [...outwardPolicies, ...inwardPolicies];
    if (!policy) return [];
    const message =
      outwardPolicies.length > 0 ? describeOutwardJoin(openDataset, policy) : describeInwardJoin(openDataset, policy);
    return [problemAt(['datasets', openDataset.name], 'open_dataset', message, { severity: 'warning' })];
  });
}

const ALL_ROWS_FILTER_PATTERN = /^\s*true\s*$/i;

/** Returns true if `policies` together apply to every caller to whom the second argument applies. */
const coversAllCallers = (policies: RowPolicy[], { groups }: RowPolicy): boolean =>
  policies.some((item) => item.groups.length === 0) ||
  (groups.length > 0 && groups.every((group) => policies.some((item) => item.groups.includes(group))));

const isReachable = (lens: Lens, from: string, to: string): boolean => {
  const pathResult = findPath(lens, from, to);
  if (pathResult.kind === 'path') return pathResult.path.steps.length > 0;
  // A dataset is also reachable if there are several paths, or if only the name of a role identifies the path.
  return (
    pathResult.kind === 'ambiguous' ||
    lens.relationships.some(
      ({ role, to: target }) => target.dataset === to && findPath(lens, from, role).kind === 'path',
    )
  );
};

const describeOpenPolicy = (name: string): string =>
  `To allow all of its rows, add {name: all-${name.replaceAll('_', '-')}, dataset: ${name}, filter: "true"}.`;

const describeUncoveredCallers = ({ name }: LensDataset, policy: RowPolicy): string =>
  `The row policy "${policy.name}" hides rows of ${policy.dataset}, but no row policy of ${name} covers the same callers. These callers see all rows of ${name},`;

function describeOutwardJoin(openDataset: LensDataset, policy: RowPolicy): string {
  const { name } = openDataset;
  const filterText = policy.joins?.length ? '' : `, filter: ${JSON.stringify(policy.filter)}`;
  return `${describeUncoveredCallers(openDataset, policy)} without the values of hidden rows of ${policy.dataset}. To restrict ${name}, add a policy along the join, like {name: ${name.replaceAll('_', '-')}-of-${policy.name}, dataset: ${name}${filterText}}. ${describeOpenPolicy(name)}`;
}
const describeInwardJoin = (openDataset: LensDataset, policy: RowPolicy): string =>
  `${describeUncoveredCallers(openDataset, policy)} including rows to which only hidden rows of ${policy.dataset} refer. To restrict ${openDataset.name}, add a row policy for it. ${describeOpenPolicy(openDataset.name)}`;
