// Finds a lens, and denies access by default. The response is the same for an unknown lens and for a lens without a
// grant.
import { distance } from 'fastest-levenshtein';
import { canUseLens, isSuperuser, type Principal, toCaller } from '../../domain/identity/principal.ts';
import type { LiveLens, LiveLenses } from '../../domain/lenses/lens-repository.ts';
import type { Warehouse, WarehouseDirectory } from '../../domain/ports.ts';
import { limitLensToCaller } from '../../lens/policies/limit-lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { GrantedLens } from '../outcome.ts';

export interface LensDeps {
  lenses: LiveLenses;
  warehouses: WarehouseDirectory;
}

export async function resolveLens(deps: LensDeps, principal: Principal, name: string): Promise<GrantedLens> {
  return toGrantedLens(deps, principal, await findGrantedLens(deps.lenses, principal, name));
}

/** Finds a lens for requests that need no warehouse, such as lens details, definitions and the certified library. */
export async function findGrantedLens(lenses: LiveLenses, principal: Principal, name: string): Promise<LiveLens> {
  const liveLens = canUseLens(principal, name) ? await lenses.find(principal.orgId, name) : null;
  if (!liveLens) throw await createUnknownLensProblem(lenses, principal, name);
  return limitToCaller(principal, liveLens);
}

/** Every lens that this principal can use, by name. Each lens has only the parts that this principal can see. */
export async function listGrantedLenses(lenses: LiveLenses, principal: Principal): Promise<LiveLens[]> {
  const liveLenses = await lenses.list(principal.orgId, isSuperuser(principal) ? null : principal.lenses);
  return liveLenses.map((item) => limitToCaller(principal, item));
}

const limitToCaller = (principal: Principal, liveLens: LiveLens): LiveLens => ({
  ...liveLens,
  lens: limitLensToCaller(liveLens.lens, toCaller(principal)),
});

export async function toGrantedLens(deps: LensDeps, principal: Principal, liveLens: LiveLens): Promise<GrantedLens> {
  const warehouse = await openWarehouse(deps, principal, liveLens);
  const caller = toCaller(principal);
  const { lens } = limitToCaller(principal, liveLens);
  return { ...liveLens, lens, granted: true, orgId: principal.orgId, caller, warehouse };
}

/**
 * Opens the lens's warehouse. If the operator must fix an error, such as a missing file, svc only logs the error's
 * message, because the message can contain paths.
 */
async function openWarehouse({ warehouses }: LensDeps, { orgId }: Principal, { lens }: LiveLens): Promise<Warehouse> {
  try {
    return await warehouses.get(orgId, lens.connection);
  } catch (fault) {
    if (!(fault instanceof Problem) || TRANSIENT_FAULT_CODES.has(fault.code)) throw fault;
    throw new Problem(
      'unreachable',
      `The data of lens “${lens.name}” is not available. Ask an admin to check its connection.`,
      { cause: fault, detail: fault.message, retryAfter: 5 },
    );
  }
}
const TRANSIENT_FAULT_CODES: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'rate_limited']);

async function createUnknownLensProblem(lenses: LiveLenses, principal: Principal, name: string): Promise<Problem> {
  const grantedNames = (await listGrantedLenses(lenses, principal)).map((liveLens) => liveLens.name);
  const suggestions = grantedNames
    .map((candidate) => ({ candidate, away: distance(candidate, name) }))
    .sort((a, b) => a.away - b.away)
    .slice(0, 5)
    .map(({ candidate }) => candidate);
  const nextStep =
    suggestions.length > 0
      ? `Lenses that you may use: ${suggestions.join(', ')}.`
      : 'No lens is granted to this key. Ask an admin to grant one.';
  return new Problem('not_found', `There is no lens “${name}” that you may use. ${nextStep}`, { param: 'lens' });
}

/** Thrown if the lens was replaced during the ask. The ask then starts again with the current lens. */
export class LensReplacedError extends Error {}

/**
 * Starts an ask with this replica's cached lens, which saves a round trip. Inserting the trace confirms that this lens
 * is still served. If the lens was replaced, or if an error occurs before svc inserts the trace, svc reads the current
 * lens and starts again. A replaced lens never answers or refuses an ask.
 */
export async function runWithLens<T>(
  deps: LensDeps,
  principal: Principal,
  name: string,
  ask: (grantedLens: GrantedLens) => Promise<T>,
): Promise<T> {
  const recalledLens = canUseLens(principal, name) ? (deps.lenses.findCached?.(principal.orgId, name) ?? null) : null;
  if (recalledLens) {
    const proof = { traced: false };
    try {
      return await ask({ ...(await toGrantedLens(deps, principal, recalledLens)), proof });
    } catch (fault) {
      const isUnreachable = fault instanceof Problem && fault.code === 'unreachable';
      if (proof.traced || isUnreachable) throw fault;
      const liveLens = await deps.lenses.find(principal.orgId, name);
      if (liveLens === recalledLens) throw fault;
    }
  }
  return ask(await resolveLens(deps, principal, name));
}
