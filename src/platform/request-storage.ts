// AsyncLocalStorage takes about 5 % of the time of an ask. Therefore, svc enables it only if an engine needs the id of
// the request, or if several tenants share the event loop.
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestState {
  requestId: string | null;
  /** The scheduler's task for this request, if svc tracks it. */
  task: unknown;
}

const requestStorage = new AsyncLocalStorage<RequestState>();
let areRequestIdsEnabled = false;

export const runWithinRequest = (requestId: string, work: () => void): void =>
  areRequestIdsEnabled ? requestStorage.run({ requestId, task: undefined }, work) : work();

export const runWithinTask = <T>(task: unknown, work: () => T): T =>
  requestStorage.run({ requestId: requestStorage.getStore()?.requestId ?? null, task }, work);

export const getStoredTask = (): unknown => requestStorage.getStore()?.task;

/** Work that is already running is no longer tracked. */
export function stopTrackingWork(): void {
  if (!areRequestIdsEnabled) requestStorage.disable();
}

/** Some engines write the request's id into the log of the warehouse. Requests that started before have no id. */
export function enableRequestIds(): () => string | null {
  areRequestIdsEnabled = true;
  return () => requestStorage.getStore()?.requestId ?? null;
}
