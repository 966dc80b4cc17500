// After an admin removes access, the caller's next request on this replica is refused. Other replicas refuse requests
// within a second.
import type { ProblemDetail } from '../../contract/problem.ts';
import { describeAttributeType, findMismatchedAttributes } from '../../lens/policies/attribute-values.ts';
import { getAuthoredReader } from '../../lens/policies/authored-reader.ts';
import { appliesToGroups } from '../../lens/policies/row-policies.ts';
import type { Clock } from '../../platform/clock.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { computeRevision, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { LiveLenses } from '../lenses/lens-repository.ts';
import { deleteOwnedItems } from '../threads/owned-items.ts';
import type { Authenticator } from './authenticate.ts';
import {
  type Caller,
  type CallerChange,
  type CallerFilter,
  deleteCallerRow,
  findCaller,
  createCaller as insertCaller,
  listCallers as listRows,
  type NewCaller,
  updateCaller,
} from './caller-repository.ts';
import {
  deleteApiGrants,
  type EffectiveGrant,
  listGrantsOfCaller,
  listLensNames,
  renameGrants,
  replaceApiGrantsOfCaller,
} from './grant-repository.ts';

export interface IdentityDeps {
  tenancy: Tenancy;
  authenticator: Pick<Authenticator, 'forgetAll'>;
  clock: Clock;
}

const createNoSuchCallerProblem = (idOrName: string) =>
  new Problem('not_found', `There is no caller “${idOrName}”. GET /mgmt/callers lists the callers.`);

export async function requireCaller(db: TenantClient, idOrName: string): Promise<Caller> {
  const caller = await findCaller(db, isId(idOrName) ? { id: idOrName.toLowerCase() } : { name: idOrName });
  if (!caller) throw createNoSuchCallerProblem(idOrName);
  return caller;
}

const requireEditableCaller = (db: TenantClient, idOrName: string, ifMatch: string | null): Promise<Caller> =>
  readForEdit(
    db,
    'caller',
    ifMatch,
    () => requireCaller(db, idOrName),
    ({ updatedAt }) => updatedAt,
  );

export const getCaller = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<Caller> =>
  deps.tenancy.inTenant(orgId, (db) => requireCaller(db, idOrName));

export const listCallers = (
  deps: IdentityDeps,
  orgId: string,
  filter: CallerFilter,
  page: RowPage,
): Promise<Caller[]> => deps.tenancy.inTenant(orgId, (db) => listRows(db, filter, page));

type GrantDeps = IdentityDeps & { lenses: Pick<LiveLenses, 'list'> };

export async function createCaller(deps: GrantDeps, actor: Actor, caller: NewCaller): Promise<Caller> {
  const { name, groups = [], attributes = {} } = caller;
  await requireValidAttributes(deps.lenses, actor.orgId, { name, groups, attributes });
  return runAudited(deps, actor, async (db) => {
    const result = await insertCaller(db, caller).catch(rethrowAsNameTaken);
    return { result, action: 'caller.create', objectId: result.id, after: toAuditView(result) };
  });
}

export async function changeCaller(
  deps: GrantDeps,
  actor: Actor,
  idOrName: string,
  change: CallerChange,
  ifMatch: string | null,
): Promise<Caller> {
  if (change.attributes ?? change.groups) {
    const storedCaller = await getCaller(deps, actor.orgId, idOrName);
    const { name, groups = storedCaller.groups, attributes = storedCaller.attributes } = change;
    await requireValidAttributes(deps.lenses, actor.orgId, { name: name ?? storedCaller.name, groups, attributes });
  }
  const changedCaller = await runAudited(deps, actor, async (db) => {
    const previousCaller = await requireEditableCaller(db, idOrName, ifMatch);
    if (change.name !== undefined && change.name !== previousCaller.name)
      await renameGrants(db, previousCaller.name, change.name).catch(rethrowAsNameTaken);
    const result = (await updateCaller(db, previousCaller.id, change).catch(rethrowAsNameTaken))!;
    return {
      result,
      action: 'caller.change',
      objectId: result.id,
      before: toAuditView(previousCaller),
      after: toAuditView(result),
    };
  });
  deps.authenticator.forgetAll();
  return changedCaller;
}

export async function deleteCaller(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  ifMatch: string | null,
): Promise<void> {
  await runAudited(deps, actor, async (db) => {
    const deletedCaller = await requireEditableCaller(db, idOrName, ifMatch);
    await deleteApiGrants(db, deletedCaller.name);
    await deleteOwnedItems(db, deletedCaller.id);
    await deleteCallerRow(db, deletedCaller.id).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '23503') throw error;
      throw new Problem(
        'conflict',
        `A user is linked to caller "${deletedCaller.name}". First link the user to another caller, or disable this caller.`,
      );
    });
    return { result: null, action: 'caller.delete', objectId: deletedCaller.id, before: toAuditView(deletedCaller) };
  });
  deps.authenticator.forgetAll();
}

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
    const details = lenses.flatMap((lens, index) =>
      lensNames.includes(lens)
        ? []
        : [
            {
              path: `lenses[${index}]`,
              code: 'unknown_name',
              message: createUnknownNameMessage('lens', lens, lensNames),
            },
          ],
    );
    if (details.length > 0)
      throw new Problem('invalid', details.map(({ message }) => message).join(' '), { param: 'lenses', details });
    const readGrants = () => listGrantsOfCaller(db, caller);
    const previousGrants = await readForEdit(db, 'grants', ifMatch, readGrants, hashCallerGrants);
    await replaceApiGrantsOfCaller(db, caller.name, lenses);
    const result = await readGrants();
    return {
      result,
      action: 'caller.grants',
      objectId: caller.id,
      before: listApiGrants(previousGrants),
      after: listApiGrants(result),
    };
  });
  deps.authenticator.forgetAll();
  return grantedLenses;
}
export const listApiGrants = (grants: EffectiveGrant[]): string[] =>
  grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens);
/** The revision covers only grants that this route edits, because the others change independently. */
export const hashCallerGrants = (grants: EffectiveGrant[]): string => computeRevision(listApiGrants(grants));

async function requireValidAttributes(
  lenses: Pick<LiveLenses, 'list'>,
  orgId: string,
  caller: Pick<Caller, 'name' | 'groups' | 'attributes'>,
): Promise<void> {
  if (Object.keys(caller.attributes).length === 0) return;
  const liveLenses = await lenses.list(orgId, null);
  const problemDetails: ProblemDetail[] = [];
  for (const { name, lens } of liveLenses) {
    const policies = lens.rowPolicies.filter((policy) => appliesToGroups(policy, caller.groups));
    const readAuthored = await getAuthoredReader(lens);
    for (const { policy, attribute, needs } of findMismatchedAttributes(lens, policies, caller, readAuthored))
      problemDetails.push({
        path: `attributes.${attribute}`,
        code: 'attribute_type',
        message:
          needs === null
            ? `The row policy "${policy}" of lens ${name} doesn't determine the type of the attribute "${attribute}". Add a cast to the policy.`
            : `The row policy "${policy}" of lens ${name} needs the attribute "${attribute}" to be ${describeAttributeType(needs)}. Send a value of this type.`,
      });
  }
  if (problemDetails.length === 0) return;
  const faults = [...new Set(problemDetails.map(({ message }) => message))].slice(0, 5).join(' ');
  throw new Problem('invalid', faults, { param: problemDetails[0]!.path, details: problemDetails });
}

function rethrowAsNameTaken(error: unknown): never {
  if ((error as { code?: string }).code !== '23505') throw error;
  throw new Problem('conflict', 'There is already a caller with this name. Change that caller, or use another name.', {
    param: 'name',
  });
}
const toAuditView = ({ name, email, groups, attributes, disabledAt }: Caller) => ({
  name,
  email,
  groups,
  attributes,
  disabled: disabledAt !== null,
});
