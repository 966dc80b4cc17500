import type { BuildLimits } from './engine.ts';

// Statements at once on one connection. A server has processors of its own and is waited for; DuckDB shares ours.
export const STATEMENTS = 4;
export const SERVER_STATEMENTS = 10;
/** A cluster has queues of its own: what waits there costs us a socket. */
export const CLUSTER_STATEMENTS = 50;

/** Of a warehouse built from files. */
export const BUILD_LIMITS: BuildLimits = { timeoutMs: 300_000, mostBytes: 4 * 1024 ** 3 };
