import type { BuildLimits } from './engine.ts';

// The number of simultaneous statements per connection. DuckDB has fewer than a server, because it uses the processors
// of svc's machine.
export const DEFAULT_CONCURRENCY = 4;
export const SERVER_CONCURRENCY = 10;
/**
 * The number is larger for a cluster, because a cluster has its own queue and a waiting statement costs svc only a
 * socket.
 */
export const CLUSTER_CONCURRENCY = 50;

/** The limits for warehouses that svc builds from files. */
export const BUILD_LIMITS: BuildLimits = { timeoutMs: 300_000, maxBytes: 4 * 1024 ** 3 };
