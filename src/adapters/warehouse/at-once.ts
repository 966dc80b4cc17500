// Statements at once on one connection. A server has processors of its own and is waited for; DuckDB shares ours.
export const STATEMENTS = 4;
export const SERVER_STATEMENTS = 10;
