// What belongs to the current request, wherever its work continues. One storage for all of it, because Node.js copies each
// storage for each promise.
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestStorage {
  requestId: string | null;
  /** The piece of work that the scheduler counts, if one has begun. */
  piece: unknown;
}

export const requestStorage = new AsyncLocalStorage<RequestStorage>();
