// Converts errors from ClickHouse to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createFaultClassMap,
  createTimeoutProblem,
  createUnknownDatabaseProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';

const CREDENTIAL_CODES = new Set([192, 193, 194, 516]);
const UNKNOWN_DATABASE_CODE = 81;
// Codes for too many simultaneous queries, a busy or stopping server, and network errors between servers.
const UNREACHABLE_CODES = new Set([202, 209, 210, 236, 279, 519, 745]);
// Codes for an exceeded timeout, an estimated time that is too long, and a canceled statement.
const TIMEOUT_CODES = new Set([159, 160, 394]);
const READ_ONLY_CODE = 164;
/**
 * Matches the error for a login that can't change settings. The server could then read statements differently than svc.
 */
const FIXED_SETTINGS_MESSAGE_PATTERN = /Cannot modify '\w+' setting in readonly mode/;
const FAULT_CLASSES: [FaultClass, number[]][] = [
  ['unknown_name', [16, 20, 46, 47, 60, 63, UNKNOWN_DATABASE_CODE]],
  ['not_permitted', [READ_ONLY_CODE, 497]],
  ['division_by_zero', [153]],
  ['out_of_range', [69, 128, 131, 321, 407, 440]],
  ['bad_value', [6, 27, 32, 38, 41, 53, 70, 72, 349, 376]],
  ['bad_argument', [36, 44, 68, 427]],
  ['several_rows', [125]],
  ['type_mismatch', [42, 43, 386]],
  ['bad_statement', [1, 48, 62, 179, 184, 207, 215, 352, 403]],
  ['too_complex', [167, 168, 306]],
  // Memory limits, and limits on what a statement can read, sort, join or keep.
  ['out_of_memory', [158, 173, 191, 241, 307, 396]],
];
const FAULT_CLASS_BY_CODE = createFaultClassMap(FAULT_CLASSES);

export function toClickhouseFault(error: unknown, timeoutMs: number, database: string): Problem {
  if (error instanceof Problem) return error;
  const { message = '' } = (error ?? {}) as { message?: string };
  const code = Number((error as { code?: unknown } | null)?.code);
  if (!Number.isInteger(code)) return createUnreachableProblem(error);
  if (CREDENTIAL_CODES.has(code)) return createCredentialsProblem(error);
  if (code === UNKNOWN_DATABASE_CODE && message.includes(`Database ${database} `))
    return createUnknownDatabaseProblem(error);
  if (TIMEOUT_CODES.has(code)) return createTimeoutProblem(timeoutMs);
  if (UNREACHABLE_CODES.has(code)) return createUnreachableProblem(error);
  if (code === READ_ONLY_CODE && FIXED_SETTINGS_MESSAGE_PATTERN.test(message))
    return createEngineRefusalProblem(
      error,
      `${code} The login is not allowed to change settings: its profile must have readonly = 2 (or 0), not 1.`,
      'not_permitted',
    );
  const reason = FAULT_CLASS_BY_CODE.get(code);
  // The quoted string is a name from the statement, so the message can contain it.
  return createEngineRefusalProblem(
    error,
    `${code} ${reason === 'unknown_name' ? removeStatement(message) : redactValues(message)}`,
    reason,
  );
}

/** Removes the statement, which ClickHouse's message repeats after the name. */
const removeStatement = (message: string): string => message.split(/ in scope /i)[0]!.slice(0, 500);
