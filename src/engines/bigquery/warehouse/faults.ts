// Converts errors from BigQuery to faults. The messages contain no hosts, accounts or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createTimeoutProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';
import { BigqueryFault } from './protocol.ts';

/** Errors that no change to the statement can fix. */
const CONNECTION_FAULTS: [RegExp, string][] = [
  [
    /^notFound .*Dataset /s,
    'The warehouse has no such dataset in the project and location of the connection. Ask an admin to correct the project, dataset or location.',
  ],
  [
    /^accessDenied .*Project /s,
    "The service account isn't allowed to run jobs in the project of the connection. Ask an admin to correct the project, or to grant the account roles/bigquery.jobUser there.",
  ],
];
const UNREACHABLE_REASONS = new Set(
  `backendError internalError rateLimitExceeded jobRateLimitExceeded quotaExceeded jobBackendError jobInternalError
   tableUnavailable`.split(/\s+/),
);
/** BigQuery reports `stopped` for a job that exceeded its jobTimeoutMs. */
const TIMEOUT_REASON_PATTERN = /^stopped$|^timeout$/;
const FAULT_CLASSES: [FaultClass, RegExp][] = [
  // BigQuery's reason codes come first, because they are more reliable than the patterns for messages.
  ['out_of_memory', /^(?:bytesBilledLimitExceeded|responseTooLarge|resourcesExceeded|billingTierLimitExceeded) /],
  ['not_permitted', /^(?:accessDenied|billingNotEnabled|blocked) /],
  [
    'unknown_name',
    /^notFound |Unrecognized name|Function not found|Table-valued function not found|Name \S+ not found|not found inside|Table "?\S+"? must be qualified/,
  ],
  ['division_by_zero', /division by zero|divide by zero/i],
  ['several_rows', /subquery produced more than one element|More than one row/i],
  ['out_of_range', /overflow|out of range/i],
  [
    'type_mismatch',
    /No matching signature|Invalid cast|Could not cast (?:literal|function)|Cannot coerce|incompatible types/i,
  ],
  [
    'bad_value',
    /^invalidQuery (?:Bad|Could not cast|Could not parse|Invalid (?:date|time|timestamp|datetime|NUMERIC|BIGNUMERIC|bool|int64|floating))|Bad (?:int64|double|bool|numeric) value/i,
  ],
  ['bad_argument', /Invalid return value|argument|Failed to parse input string|Cannot parse regular expression/i],
  ['too_complex', /too complex|too many|nested|too deep|Query is too large/i],
  ['bad_statement', /^invalidQuery |^parseError /],
];

export function toBigqueryFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof BigqueryFault))
    return isCredentialsFault(error) ? createCredentialsProblem(error) : createUnreachableProblem(error);
  const { status, reason, message } = error;
  if (status === 401 || reason === 'authError') return createCredentialsProblem(error);
  for (const [pattern, sentence] of CONNECTION_FAULTS)
    if (pattern.test(`${reason} ${message}`)) return createUnreachableProblem(error, sentence);
  if (UNREACHABLE_REASONS.has(reason) || status === 429 || status >= 500) return createUnreachableProblem(error);
  if (TIMEOUT_REASON_PATTERN.test(reason) || /Job timed out|jobTimeoutMs|timed out after/i.test(message))
    return createTimeoutProblem(timeoutMs);
  const text = `${reason} ${message}`;
  const [faultClass] = FAULT_CLASSES.find(([, pattern]) => pattern.test(text)) ?? [];
  // The quoted string is a name from the statement, so the message can contain it.
  if (faultClass === 'unknown_name') return createEngineRefusalProblem(error, text.slice(0, 500), faultClass);
  return createEngineRefusalProblem(
    error,
    redactValues(STATEMENT_FAULTS.has(faultClass) ? text : removeValues(text)),
    faultClass,
  );
}

const STATEMENT_FAULTS = new Set<FaultClass | undefined>([
  'bad_statement',
  'type_mismatch',
  'not_permitted',
  'too_complex',
]);
/** Removes values, which occur in BigQuery's messages after a colon or in quotes. */
const removeValues = (text: string): string => text.split(/: /)[0]!.replace(/"[^"]*"/g, '"…"');

/** Returns true for errors that the client throws if it can't sign a request. */
const isCredentialsFault = (error: unknown): boolean =>
  error instanceof Error &&
  /invalid_grant|invalid_client|Could not load the default credentials|DECODER|PEM|private key/i.test(error.message);
