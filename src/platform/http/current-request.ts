// The id of the current request. The id appears in the warehouse's log, so that an operator can find the request that
// caused a query.
import { requestStorage } from '../request-storage.ts';

export const runWithinRequest = (requestId: string, work: () => void): void =>
  requestStorage.run({ requestId, piece: undefined }, work);

/** Null outside a request. */
export const currentRequestId = (): string | null => requestStorage.getStore()?.requestId ?? null;
