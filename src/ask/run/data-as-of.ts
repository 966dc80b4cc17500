// Reads the freshness of a lens outside an ask. Returns null instead of an error if it isn't known.
import type { Principal } from '../../domain/identity/principal.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { AskDeps } from '../ask-deps.ts';
import { toGrantedLens } from '../read/resolve-lens.ts';

export async function dataAsOf(
  deps: Pick<AskDeps, 'lenses' | 'warehouses' | 'freshness' | 'clock'>,
  principal: Principal,
  liveLens: ServedLens,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  if (!liveLens.lens.dataAsOf) return null;
  try {
    const granted = await toGrantedLens(deps, principal, liveLens);
    return await deps.freshness.of(principal.orgId, granted, { ...options, now: deps.clock.now() });
  } catch {
    return null;
  }
}
