// Converts errors from Snowflake to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createFaultClassMap,
  createTimeoutProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import { swapCase } from '../../../dialects/fold-name.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';

/** Codes for an ended session, after which svc opens another session. The last code comes from the client. */
const ENDED_SESSION_CODES = new Set([390104, 390111, 390112, 390114, 390195, 407002]);
export const hasSessionEnded = (error: unknown): boolean => ENDED_SESSION_CODES.has(readErrorCode(error));

/** Codes for wrong, locked, expired or unknown credentials, tokens and keys. */
const CREDENTIAL_CODES = [390100, 390101, 390102, 390103, 390144, 390303, 390318, 394300, 394304];
/** Codes for no running warehouse, and for a login that can't use any warehouse. */
const NO_WAREHOUSE_CODES = new Set([606, 90073, 90064]);
const TIMEOUT_CODES = new Set([604, 630, 635]);
/** svc reports any other code as a refusal without a fault class. */
const FAULT_CLASSES: [FaultClass, number[]][] = [
  ['unknown_name', [904, 2003, 2043, 2140]],
  ['not_permitted', [3001]],
  ['division_by_zero', [100051]],
  ['out_of_range', [100046]],
  ['bad_value', [100035, 100038, 100040]],
  ['several_rows', [100090]],
  ['type_mismatch', [1044, 2016]],
  ['bad_statement', [979, 1003, 2028]],
  ['out_of_memory', [100130]],
];
const FAULT_CLASS_BY_CODE = createFaultClassMap(FAULT_CLASSES);

export function toSnowflakeFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const code = readErrorCode(error);
  const message = String((error as { message?: unknown } | null)?.message ?? '');
  if (CREDENTIAL_CODES.includes(code)) return createCredentialsProblem(error);
  if (NO_WAREHOUSE_CODES.has(code))
    return createUnreachableProblem(
      error,
      'The connection names no running warehouse that its role can use. Ask an admin to correct the warehouse or the role.',
    );
  if (TIMEOUT_CODES.has(code)) return createTimeoutProblem(timeoutMs);
  // Codes from 390000 concern the session or the client. Lower codes are the server's errors in the statement.
  if (!(code > 0 && code < 390_000)) return createUnreachableProblem(error);
  const reason = FAULT_CLASS_BY_CODE.get(code);
  return createEngineRefusalProblem(
    error,
    `${code} ${reason === 'unknown_name' ? swapNameCase(message) : redactValues(message)}`,
    reason,
  );
}

/** Swaps the letter case of names in a message, because lenses swap the letter case of Snowflake's names. */
const swapNameCase = (message: string): string =>
  message.slice(0, 500).replace(/(['"])([\w$.]+)\1/g, (_, quote: string, name: string) => {
    return `${quote}${name.split('.').map(swapCase).join('.')}${quote}`;
  });

function readErrorCode(error: unknown): number {
  const code = Number((error as { code?: unknown } | null)?.code);
  return Number.isInteger(code) ? code : 0;
}
