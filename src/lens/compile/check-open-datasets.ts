// A policy hides rows of its own dataset. What is joined to it is open unless a policy says otherwise, so `plan` says so.

import type { ProjectProblem } from '../files/project-problem.ts';
import type { Complain } from '../files/yaml-file.ts';
import { pathTo } from '../model/join-paths.ts';
import type { Lens, LensDataset, RowPolicy } from '../model/lens.ts';

/** One warning for each dataset that rows of a policied one lead to, or that leads to them, and that is open to whom the
 *  policy binds. */
export function warnOfOpenDatasets(lens: Lens, complain: Complain): ProjectProblem[] {
  return lens.datasets.flatMap((open) => {
    const own = lens.rowPolicies.filter(({ dataset }) => dataset === open.name);
    const closed = lens.rowPolicies.filter((policy) => policy.dataset !== open.name && !covers(own, policy));
    const outward = closed.filter(({ dataset }) => leads(lens, open.name, dataset));
    const inward = closed.filter(({ dataset }) => leads(lens, dataset, open.name));
    const [policy] = [...outward, ...inward];
    if (!policy) return [];
    const message = outward.length > 0 ? leadsThere(open, policy) : isLedTo(open, policy);
    return [complain(['datasets', open.name], 'open_dataset', message, { severity: 'warning' })];
  });
}

/** Everybody whom the policy binds meets one of these. */
const covers = (own: RowPolicy[], { groups }: RowPolicy): boolean =>
  own.some((one) => one.groups.length === 0) ||
  (groups.length > 0 && groups.every((group) => own.some((one) => one.groups.includes(group))));

const leads = (lens: Lens, from: string, to: string): boolean => {
  const found = pathTo(lens, from, to);
  if (found.kind === 'path') return found.path.steps.length > 0;
  // Several ways, or under the name of a role only.
  return (
    found.kind === 'ambiguous' ||
    lens.relationships.some(({ role, to: target }) => target.dataset === to && pathTo(lens, from, role).kind === 'path')
  );
};

const declareOpen = (name: string): string =>
  `or declare it as open: {name: all-${name.replaceAll('_', '-')}, dataset: ${name}, filter: "true"}.`;

function leadsThere({ name }: LensDataset, policy: RowPolicy): string {
  const along = policy.joins?.length ? '' : `, filter: ${JSON.stringify(policy.filter)}`;
  return `The row policy "${policy.name}" hides rows of ${policy.dataset}, to which ${name} refers. No policy hides rows of ${name}, so restricted callers see all of them, without values of hidden rows of ${policy.dataset}. Add a policy along the join, like {name: ${name.replaceAll('_', '-')}-of-${policy.name}, dataset: ${name}${along}}, ${declareOpen(name)}`;
}
const isLedTo = ({ name }: LensDataset, policy: RowPolicy): string =>
  `The row policy "${policy.name}" hides rows of ${policy.dataset}, which refer to ${name}. No policy hides rows of ${name}, so restricted callers see all of them. Write a row policy for it, ${declareOpen(name)}`;
