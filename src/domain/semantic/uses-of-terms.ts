// Finds the lenses that use a shared term. A published lens also uses terms that are added later, so its files alone
// aren't enough.
import type { ServedLenses } from '../lenses/lens-repository.ts';
import type { UsedSemantic } from './semantic-objects.ts';

export async function usesOfTerms(
  deps: { lenses: Pick<ServedLenses, 'list'> },
  orgId: string,
): Promise<(row: UsedSemantic) => UsedSemantic> {
  const liveLenses = await deps.lenses.list(orgId, null);
  return (row) => {
    const users = liveLenses.filter(({ lens }) => lens.definitions.some(({ term }) => term === row.name));
    return { ...row, usedBy: users.map(({ name }) => name) };
  };
}
