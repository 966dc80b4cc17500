// Starts an ask with this replica's cached lens, which saves a round trip. Inserting the trace confirms that this lens
// is still served. If the lens was replaced, or if a fault came before the trace, svc reads the current lens and starts
// again. A replaced lens never answers or refuses an ask.
import { mayUseLens, type Principal } from '../domain/identity/principal.ts';
import { Problem } from '../platform/problem.ts';
import type { GrantedLens } from './outcome.ts';
import { type LensDeps, resolveLens, toGrantedLens } from './read/resolve-lens.ts';

export class LensReplaced extends Error {}

export async function withLens<T>(
  deps: LensDeps,
  principal: Principal,
  name: string,
  ask: (granted: GrantedLens) => Promise<T>,
): Promise<T> {
  const recalled = mayUseLens(principal, name) ? (deps.lenses.recall?.(principal.orgId, name) ?? null) : null;
  if (recalled) {
    const proof = { traced: false };
    try {
      return await ask({ ...(await toGrantedLens(deps, principal, recalled)), proof });
    } catch (fault) {
      const isUnreachable = fault instanceof Problem && fault.code === 'unreachable';
      if (proof.traced || isUnreachable) throw fault;
      const read = await deps.lenses.find(principal.orgId, name);
      if (read === recalled) throw fault;
    }
  }
  return ask(await resolveLens(deps, principal, name));
}
