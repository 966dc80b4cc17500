// The id of the current request, so that a warehouse's log shows which request a query belongs to.
import { requestStorage } from '../request-storage.ts';

export const withinRequest = (requestId: string, work: () => void): void =>
  requestStorage.run({ requestId, piece: undefined }, work);

/** Null outside a request. */
export const currentRequestId = (): string | null => requestStorage.getStore()?.requestId ?? null;
