// Converts errors from PostgreSQL to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createLockedProblem,
  createTimeoutProblem,
  createUnknownDatabaseProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';

const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/;
// Matches SQLSTATEs for a failed connection, a server shutdown and too many connections.
const UNREACHABLE_STATE_PATTERN = /^(08|57P0|53300)/;
const LOCKED_STATE = '55P03';
// Matches SQLSTATEs for a canceled query, and for timeouts of idle sessions and transactions.
const TIMEOUT_STATE_PATTERN = /^(57014|25P0[34])$/;
// The first pattern that matches a SQLSTATE sets its class. Errors of class 42 occur before rows arrive, and errors of
// classes 21 and 22 while rows arrive.
const FAULT_CLASSES: [RegExp, FaultClass][] = [
  [/^22012/, 'division_by_zero'],
  [/^(22003|22008|22015)/, 'out_of_range'],
  [/^(22P0[2-5]|22007|22018|22021|22030|22032)/, 'bad_value'],
  [/^2[02]/, 'bad_argument'],
  [/^21/, 'several_rows'],
  [/^(42703|42P01|3F000|42704)/, 'unknown_name'],
  [/^42501/, 'not_permitted'],
  [/^(42883|42804|42846|42725|42P18|42809)/, 'type_mismatch'],
  [/^(42|0A)/, 'bad_statement'],
  [/^54/, 'too_complex'],
  [/^53/, 'out_of_memory'],
];

/** Returns the fault class of a SQLSTATE. Other engines use the same SQLSTATEs. */
export const findFaultClass = (code: string): FaultClass | undefined =>
  FAULT_CLASSES.find(([state]) => state.test(code))?.[1];

export function toPostgresFault(
  error: unknown,
  timeoutMs: number,
  findEngineFaultClass: (message: string) => FaultClass | undefined,
): Problem {
  if (error instanceof Problem) return error;
  const { code = '', severity } = (error ?? {}) as { code?: string; severity?: string };
  if (!severity || !SQLSTATE_PATTERN.test(code)) return createUnreachableProblem(error);
  if (code.startsWith('28')) return createCredentialsProblem(error);
  if (code === '3D000') return createUnknownDatabaseProblem(error);
  if (UNREACHABLE_STATE_PATTERN.test(code)) return createUnreachableProblem(error);
  if (code === LOCKED_STATE) return createLockedProblem(error);
  if (TIMEOUT_STATE_PATTERN.test(code)) return createTimeoutProblem(timeoutMs);
  const { message } = error as Error;
  const faultClass = findFaultClass(code) ?? findEngineFaultClass(message);
  return createEngineRefusalProblem(error, `${code} ${redactValues(message)}`, faultClass);
}
