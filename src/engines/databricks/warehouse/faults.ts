// Converts errors from Databricks to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createTimeoutProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import { Problem } from '../../../platform/problem.ts';
import { findFaultClass } from '../../postgres/warehouse/faults.ts';

export function toDatabricksFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { message = '', statusCode } = (error ?? {}) as { message?: string; statusCode?: number };
  if (statusCode === 401 || statusCode === 403) return createCredentialsProblem(error);
  const [, state] = /SQLSTATE: ?([0-9A-Z]{5})/.exec(message) ?? [];
  const [, name = state] = /\[([A-Z0-9_.]+)\]/.exec(message) ?? [];
  if (/STATEMENT_TIMEOUT|timed? ?out|CANCELLED|HY008/i.test(`${name} ${state === undefined ? message : ''}`))
    return createTimeoutProblem(timeoutMs);
  if (state === undefined) return createUnreachableProblem(error);
  if (/^(?:SCHEMA|CATALOG)_NOT_FOUND$/.test(String(name)))
    return createUnreachableProblem(
      error,
      'The warehouse has no catalog or schema with the configured name. Ask an admin to correct the connection.',
    );
  const reason = findFaultClass(state);
  // The quoted string is a name from the statement, so the message can contain it.
  const text = reason === 'unknown_name' ? message.slice(0, 500) : redactValues(message);
  return createEngineRefusalProblem(error, `${name} ${text}`, reason);
}
