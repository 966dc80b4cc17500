// The id of the current request. It appears in the warehouse's log, so that a query can be traced to its request.
import { requestStorage } from '../request-storage.ts';

export const runWithinRequest = (requestId: string, work: () => void): void =>
  requestStorage.run({ requestId, piece: undefined }, work);

/** Null outside a request. */
export const currentRequestId = (): string | null => requestStorage.getStore()?.requestId ?? null;
