// AsyncLocalStorage takes about 5 % of the time of an ask. Therefore, svc enables it only if an engine needs the id of
// the request, or if several tenants share the event loop.
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestState {
  requestId: string | null;
  /** The scheduler's piece of work for this request, if svc tracks it. */
  piece: unknown;
}

const requestStorage = new AsyncLocalStorage<RequestState>();
let areRequestIdsEnabled = false;

export const runWithinRequest = (requestId: string, work: () => void): void =>
  areRequestIdsEnabled ? requestStorage.run({ requestId, piece: undefined }, work) : work();

export const runWithinPieceOfWork = <T>(piece: unknown, work: () => T): T =>
  requestStorage.run({ requestId: requestStorage.getStore()?.requestId ?? null, piece }, work);

export const getCurrentPieceOfWork = (): unknown => requestStorage.getStore()?.piece;

/** Work that is already running is no longer tracked. */
export function stopTrackingWork(): void {
  if (!areRequestIdsEnabled) requestStorage.disable();
}

/** Some engines write the request's id into the log of the warehouse. Requests that started before have no id. */
export function enableRequestIds(): () => string | null {
  areRequestIdsEnabled = true;
  return () => requestStorage.getStore()?.requestId ?? null;
}
