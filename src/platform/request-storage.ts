// The state of the current request, available wherever its work continues. While the storage is in use, Node.js copies
// its value for each promise, which takes about 5 % of the time of an ask. Therefore, svc uses the storage only if an
// engine needs the id of the request, or if several tenants share the event loop.
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

export const runWithinPiece = <T>(piece: unknown, work: () => T): T =>
  requestStorage.run({ requestId: requestStorage.getStore()?.requestId ?? null, piece }, work);

export const getCurrentPieceOfWork = (): unknown => requestStorage.getStore()?.piece;

/** Stops using the storage when no tenants share the event loop any more. Running work is no longer tracked. */
export function stopTrackingPieces(): void {
  if (!areRequestIdsEnabled) requestStorage.disable();
}

/**
 * Starts to keep request ids, and returns a function that returns the id of the current request, or null outside a
 * request. Some engines write the id into the log of the warehouse, so that an operator can find the request of a
 * query. Such an engine calls this function when svc loads the engine, so only later requests have ids.
 */
export function enableRequestIds(): () => string | null {
  areRequestIdsEnabled = true;
  return () => requestStorage.getStore()?.requestId ?? null;
}
