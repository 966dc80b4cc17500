// The lens in service with this name, for admins; otherwise a Problem with similar names.
import { distance } from 'fastest-levenshtein';
import { Problem } from '../../platform/problem.ts';
import type { ServedLens, ServedLenses } from './lens-repository.ts';

export async function getServedLens(lenses: ServedLenses, orgId: string, name: string): Promise<ServedLens> {
  const served = await lenses.find(orgId, name);
  if (served) return served;
  const near = (await lenses.list(orgId, null))
    .map((other) => other.name)
    .sort((a, b) => distance(a, name) - distance(b, name))
    .slice(0, 5);
  const next =
    near.length > 0 ? `There are ${near.join(', ')}.` : 'No lens is published. Apply a project or publish a draft.';
  throw new Problem('not_found', `There is no published lens “${name}”. ${next}`, { param: 'name' });
}
