// A guarded statement on its way to a process of our own and there: only the guard's own can be sent, and only what was
// sent arrives.
import type { GuardedSql } from './guarded-sql.ts';

declare const sent: unique symbol;
export interface SentStatement extends Pick<GuardedSql, 'dialect' | 'runs' | 'parameters'> {
  readonly [sent]: true;
}

export const sentOf = ({ dialect, runs, parameters }: GuardedSql): SentStatement =>
  ({ dialect, runs, parameters }) as unknown as SentStatement;

/** It runs where it has arrived. */
export const arrivedOf = (statement: SentStatement): GuardedSql =>
  ({ ...statement, apart: false }) as unknown as GuardedSql;
