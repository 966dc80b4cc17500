// An ask begins with its lens as this replica last read it, which costs no round trip; the insert of its trace proves that
// the lens is still the one in service. When it is not, or when a fault came before any trace, the lens is read and the
// ask begins again, so that no one is answered from, or refused by, a lens that had been replaced before they asked.
import { mayUseLens, type Principal } from '../domain/identity/principal.ts';
import { Problem } from '../platform/problem.ts';
import type { GrantedLens } from './outcome.ts';
import { grant, type LensDeps, resolveLens } from './read/resolve-lens.ts';

export class LensMoved extends Error {}

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
      return await ask({ ...(await grant(deps, principal, recalled)), proof });
    } catch (fault) {
      const away = fault instanceof Problem && fault.code === 'unreachable';
      if (proof.traced || away) throw fault;
      const read = await deps.lenses.find(principal.orgId, name);
      if (read === recalled) throw fault;
    }
  }
  return ask(await resolveLens(deps, principal, name));
}
