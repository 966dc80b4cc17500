import type { BuildLimits } from './engine.ts';

// Simultaneous statements per connection. A server has its own processors, but DuckDB uses those of svc's machine.
export const DEFAULT_CONCURRENCY = 4;
export const SERVER_CONCURRENCY = 10;
/** A cluster has its own queue, and a waiting statement costs svc only a socket. */
export const CLUSTER_CONCURRENCY = 50;

/** For warehouses that svc builds from files. */
export const BUILD_LIMITS: BuildLimits = { timeoutMs: 300_000, mostBytes: 4 * 1024 ** 3 };
