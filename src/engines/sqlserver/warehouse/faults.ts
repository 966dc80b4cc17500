// Maps errors of SQL Server and the network to fault classes. Messages contain no hosts, users or values.

import {
  engineRefusalProblem,
  redact,
  timeoutProblem,
  unreachableProblem,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';

const REFUSED_CREDENTIALS_MESSAGE =
  'The warehouse refused the credentials of the connection. Ask an admin to correct them.';

const FAULT_OF_NUMBER: Readonly<Record<number, FaultClass>> = {
  8134: 'division_by_zero',
  220: 'out_of_range',
  232: 'out_of_range',
  8115: 'out_of_range',
  517: 'out_of_range',
  535: 'out_of_range',
  242: 'bad_value',
  241: 'bad_value',
  245: 'bad_value',
  248: 'bad_value',
  8114: 'bad_value',
  9819: 'bad_argument',
  289: 'bad_argument',
  537: 'bad_argument',
  3623: 'bad_argument',
  512: 'several_rows',
  206: 'type_mismatch',
  402: 'type_mismatch',
  8116: 'type_mismatch',
  8117: 'type_mismatch',
  174: 'type_mismatch',
  130: 'bad_statement',
  144: 'bad_statement',
  145: 'bad_statement',
  164: 'bad_statement',
  209: 'bad_statement',
  468: 'bad_statement',
  8120: 'bad_statement',
  207: 'unknown_name',
  208: 'unknown_name',
  8623: 'too_complex',
  8631: 'too_complex',
  191: 'too_complex',
  701: 'out_of_memory',
  802: 'out_of_memory',
  8645: 'out_of_memory',
  229: 'not_permitted',
  230: 'not_permitted',
  262: 'not_permitted',
  300: 'not_permitted',
};
const UNKNOWN_DATABASE_MESSAGE =
  'The warehouse has no database with the configured name. Ask an admin to correct the connection.';
const TLS_REQUIRED_MESSAGE = 'The warehouse requires TLS. Ask an admin to set ssl: true for its connection.';
const LOGIN_CODES = new Set([18456, 18452, 18470, 18486, 4064, 916]);
/** The server also reports this code for a database that the login can't open. */
const UNKNOWN_DATABASE_CODE = 4060;
/** Another session holds a lock on the data, or the server ended this statement to resolve a deadlock. */
const LOCK_CODES = new Set([1205, 1222]);
/** The statement exceeds the connection's cost limit. */
const COST_LIMIT_CODE = 8649;

export function toSqlserverFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { number, code, message } = (error ?? {}) as { number?: number; code?: string; message?: string };
  const detail = redact(String(message));
  if (number === UNKNOWN_DATABASE_CODE) return unreachableProblem(error, UNKNOWN_DATABASE_MESSAGE);
  if (code === 'EENCRYPT') return unreachableProblem(error, TLS_REQUIRED_MESSAGE);
  if (code === 'ELOGIN' || (number !== undefined && LOGIN_CODES.has(number)))
    return unreachableProblem(error, REFUSED_CREDENTIALS_MESSAGE);
  if (code === 'ETIMEOUT') return timeoutProblem(timeoutMs);
  // Only errors from the server have a number.
  if (number === undefined) return unreachableProblem(error);
  if (LOCK_CODES.has(number))
    return unreachableProblem(error, 'Another session has locked the data of this statement. Try again shortly.');
  if (number === COST_LIMIT_CODE) return engineRefusalProblem(error, `${number} ${detail}`, 'too_complex');
  return engineRefusalProblem(error, `${number} ${detail}`, FAULT_OF_NUMBER[number]);
}
