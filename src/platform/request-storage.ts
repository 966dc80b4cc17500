// Data about the current request, available to all of its asynchronous work. A single AsyncLocalStorage holds all of
// the data, because Node.js copies each storage for each promise.
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestStorage {
  requestId: string | null;
  /** The scheduler's piece of work for this request, if the piece has started. */
  piece: unknown;
}

export const requestStorage = new AsyncLocalStorage<RequestStorage>();
