// Statements at once on one connection. A server has processors of its own and is waited for; DuckDB shares ours.
export const STATEMENTS = 4;
export const SERVER_STATEMENTS = 10;
/** A cluster has queues of its own: what waits there costs us a socket. */
export const CLUSTER_STATEMENTS = 50;
