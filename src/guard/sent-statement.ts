// Sends a guarded statement to another svc process. Only a GuardedSql can be sent, and it arrives unchanged.
import type { GuardedSql } from './guarded-sql.ts';

declare const SENT: unique symbol;
export interface SentStatement extends Pick<GuardedSql, 'dialect' | 'runs' | 'parameters'> {
  readonly [SENT]: true;
}

export const toSentStatement = ({ dialect, runs, parameters }: GuardedSql): SentStatement =>
  ({ dialect, runs, parameters }) as unknown as SentStatement;

export const fromSentStatement = (statement: SentStatement): GuardedSql =>
  ({ ...statement, apart: false }) as unknown as GuardedSql;
