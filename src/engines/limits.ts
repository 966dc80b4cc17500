import type { BuildLimits } from './engine.ts';

// DuckDB runs fewer statements at once than a server, because it uses the processors of svc's machine.
export const DEFAULT_CONCURRENCY = 4;
export const DEFAULT_SERVER_CONCURRENCY = 10;
/** Higher than for a server, because a cluster has its own queue, and a waiting statement costs svc only a socket. */
export const DEFAULT_CLUSTER_CONCURRENCY = 50;

export const BUILD_LIMITS: BuildLimits = { timeoutMs: 300_000, maxBytes: 4 * 1024 ** 3 };
