// The id of the current request, so that a warehouse's log shows which request a query belongs to.
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

export const withinRequest = (id: string, work: () => void): void => requests.run(id, work);

/** Null outside a request. */
export const currentRequestId = (): string | null => requests.getStore() ?? null;
