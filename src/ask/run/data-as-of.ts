// Reads the freshness of a lens outside an ask. Returns null instead of an error if the freshness isn't known.
import type { Principal } from '../../domain/identity/principal.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { AskDeps } from '../ask-deps.ts';
import { toGrantedLens } from '../read/resolve-lens.ts';

type FreshnessDeps = Pick<AskDeps, 'lenses' | 'warehouses' | 'freshness' | 'clock'>;

export async function fetchDataAsOf(
  deps: FreshnessDeps,
  principal: Principal,
  liveLens: ServedLens,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  if (!liveLens.lens.dataAsOf) return null;
  try {
    const grantedLens = await toGrantedLens(deps, principal, liveLens);
    return await deps.freshness.dataAsOf(principal.orgId, grantedLens, { ...options, now: deps.clock.now() });
  } catch {
    return null;
  }
}

const BACKGROUND_MS = 30_000;

/** The data_as_of of the last read, or null. The first call starts a read without waiting for the result. */
export function lastDataAsOf(deps: FreshnessDeps, principal: Principal, liveLens: ServedLens): Date | null {
  const lastDate = deps.freshness.cachedDataAsOf(principal.orgId, liveLens);
  if (lastDate === undefined)
    void fetchDataAsOf(deps, principal, liveLens, {
      timeoutMs: BACKGROUND_MS,
      signal: AbortSignal.timeout(BACKGROUND_MS),
    });
  return lastDate ? new Date(lastDate) : null;
}
