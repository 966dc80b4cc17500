// The lenses that a caller can use, and the lenses granted to the caller through the API.
import { unknownNameMessage } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { readForEdit, revisionOf } from '../../platform/tenancy/revision.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import { setCallerGrants } from './caller-repository.ts';
import { type IdentityDeps, requireCaller } from './callers.ts';
import { type EffectiveGrant, listGrantsOfCaller, listLensNames } from './grant-repository.ts';

export const listCallerGrants = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<EffectiveGrant[]> =>
  deps.tenancy.inTenant(orgId, async (db) => listGrantsOfCaller(db, await requireCaller(db, idOrName)));

export async function replaceCallerGrants(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  lenses: string[],
  ifMatch: string | null = null,
): Promise<EffectiveGrant[]> {
  const grantedLenses = await runAudited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const lensNames = await listLensNames(db);
    const unknownLenses = lenses
      .map((lens, index) => ({ lens, index }))
      .filter(({ lens }) => !lensNames.includes(lens));
    if (unknownLenses.length > 0)
      throw new Problem(
        'invalid',
        unknownLenses.map(({ lens }) => unknownNameMessage('lens', lens, lensNames)).join(' '),
        {
          param: 'lenses',
          details: unknownLenses.map(({ lens, index }) => ({
            path: `lenses[${index}]`,
            code: 'unknown_name',
            message: unknownNameMessage('lens', lens, lensNames),
          })),
        },
      );
    const previousGrants = await readForEdit(
      db,
      'grants',
      ifMatch,
      () => listGrantsOfCaller(db, caller),
      callerGrantsRevision,
    );
    await setCallerGrants(db, caller.name, lenses);
    const result = await listGrantsOfCaller(db, caller);
    return {
      result,
      action: 'caller.grants',
      objectId: caller.id,
      before: apiGrantsOf(previousGrants),
      after: apiGrantsOf(result),
    };
  });
  deps.authenticator.forgetAll();
  return grantedLenses;
}
const apiGrantsOf = (grants: EffectiveGrant[]): string[] =>
  grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens);
/**
 * The revision covers only the grants that this route edits, because grants from files, groups and lenses change
 * independently.
 */
export const callerGrantsRevision = (grants: EffectiveGrant[]): string => revisionOf(apiGrantsOf(grants));
