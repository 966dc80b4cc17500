// Use this function only for people who may see every lens, because the Problem for an unknown name lists similar
// names.
import { distance } from 'fastest-levenshtein';
import { Problem } from '../../platform/problem.ts';
import type { LiveLens, LiveLenses } from './lens-repository.ts';

export async function getLiveLens(lenses: LiveLenses, orgId: string, name: string): Promise<LiveLens> {
  const liveLens = await lenses.find(orgId, name);
  if (liveLens) return liveLens;
  const similarNames = (await lenses.list(orgId, null))
    .map((lens) => lens.name)
    .sort((a, b) => distance(a, name) - distance(b, name))
    .slice(0, 5);
  const nextStep =
    similarNames.length > 0
      ? `Published lenses with similar names: ${similarNames.join(', ')}.`
      : 'No lens is published. Apply a project or publish a draft.';
  throw new Problem('not_found', `There is no published lens “${name}”. ${nextStep}`, { param: 'name' });
}
