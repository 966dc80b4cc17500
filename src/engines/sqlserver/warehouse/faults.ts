// Converts errors from SQL Server to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createFaultClassMap,
  createLockedProblem,
  createTimeoutProblem,
  createUnknownDatabaseProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import { Problem } from '../../../platform/problem.ts';

const FAULT_CLASS_BY_NUMBER = createFaultClassMap<number>([
  ['division_by_zero', [8134]],
  ['out_of_range', [220, 232, 8115, 517, 535]],
  ['bad_value', [242, 241, 245, 248, 8114]],
  ['bad_argument', [9819, 289, 537, 3623]],
  ['several_rows', [512]],
  ['type_mismatch', [206, 402, 8116, 8117, 174]],
  ['bad_statement', [130, 144, 145, 164, 209, 468, 8120]],
  ['unknown_name', [207, 208]],
  ['too_complex', [8623, 8631, 191]],
  ['out_of_memory', [701, 802, 8645]],
  ['not_permitted', [229, 230, 262, 300]],
]);
const TLS_REQUIRED_MESSAGE = 'The warehouse requires TLS. Ask an admin to set ssl: true for its connection.';
const LOGIN_CODES = new Set([18456, 18452, 18470, 18486, 4064, 916]);
/** The code for an unknown database. The server also reports it for a database that the login can't open. */
const UNKNOWN_DATABASE_CODE = 4060;
/** Codes for a lock that another session holds, and for a statement that the server ended to resolve a deadlock. */
const LOCK_CODES = new Set([1205, 1222]);
/** The code for a statement that exceeds the connection's cost limit. */
const COST_LIMIT_CODE = 8649;

export function toSqlserverFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { number, code, message } = (error ?? {}) as { number?: number; code?: string; message?: string };
  const detail = redactValues(String(message));
  if (number === UNKNOWN_DATABASE_CODE) return createUnknownDatabaseProblem(error);
  if (code === 'EENCRYPT') return createUnreachableProblem(error, TLS_REQUIRED_MESSAGE);
  if (code === 'ELOGIN' || (number !== undefined && LOGIN_CODES.has(number))) return createCredentialsProblem(error);
  if (code === 'ETIMEOUT') return createTimeoutProblem(timeoutMs);
  // Only errors from the server have a number.
  if (number === undefined) return createUnreachableProblem(error);
  if (LOCK_CODES.has(number)) return createLockedProblem(error);
  if (number === COST_LIMIT_CODE) return createEngineRefusalProblem(error, `${number} ${detail}`, 'too_complex');
  return createEngineRefusalProblem(error, `${number} ${detail}`, FAULT_CLASS_BY_NUMBER.get(number));
}
