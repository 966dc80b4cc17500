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
  `or say that it is open: {name: all-${name.replaceAll('_', '-')}, dataset: ${name}, filter: "true"}.`;

function leadsThere({ name }: LensDataset, policy: RowPolicy): string {
  const along = policy.joins?.length ? '' : `, filter: ${JSON.stringify(policy.filter)}`;
  return `Rows of ${name} lead to ${policy.dataset}, where the row policy "${policy.name}" hides rows, and no policy hides those of ${name}: whom it binds sees them all, without a value of ${policy.dataset} where that is hidden. Let a policy reach along the join, like {name: ${name.replaceAll('_', '-')}-of-${policy.name}, dataset: ${name}${along}}, ${declareOpen(name)}`;
}
const isLedTo = ({ name }: LensDataset, policy: RowPolicy): string =>
  `Rows of ${policy.dataset}, some of which the row policy "${policy.name}" hides, lead to ${name}, which no policy hides: whom it binds sees every row of ${name}. Write a row policy for it, ${declareOpen(name)}`;
