import type { BuildLimits } from './engine.ts';

// Statements at once per connection. A server has its own processors; DuckDB shares this machine's.
export const DEFAULT_CONCURRENCY = 4;
export const SERVER_CONCURRENCY = 10;
/** A cluster queues statements itself; a waiting statement costs svc only a socket. */
export const CLUSTER_CONCURRENCY = 50;

/** For warehouses built from files. */
export const BUILD_LIMITS: BuildLimits = { timeoutMs: 300_000, mostBytes: 4 * 1024 ** 3 };
