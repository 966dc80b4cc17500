// Starts an ask with this replica's cached lens, which saves a round trip. Inserting the trace confirms that this lens
// is still served. If the lens was replaced, or if a fault occurs before svc inserts the trace, svc reads the current
// lens and starts again. A replaced lens never answers or refuses an ask.
import { mayUseLens, type Principal } from '../domain/identity/principal.ts';
import { Problem } from '../platform/problem.ts';
import type { GrantedLens } from './outcome.ts';
import { type LensDeps, resolveLens, toGrantedLens } from './read/resolve-lens.ts';

export class LensReplacedError extends Error {}

export async function withLens<T>(
  deps: LensDeps,
  principal: Principal,
  name: string,
  ask: (grantedLens: GrantedLens) => Promise<T>,
): Promise<T> {
  const recalledLens = mayUseLens(principal, name) ? (deps.lenses.recall?.(principal.orgId, name) ?? null) : null;
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
