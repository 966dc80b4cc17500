// Which request the work at hand is for, so that what it asks of a warehouse can be found in the warehouse's own log.
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

export const withinRequest = (id: string, work: () => void): void => requests.run(id, work);

/** Null outside of requests. */
export const requestAtHand = (): string | null => requests.getStore() ?? null;
