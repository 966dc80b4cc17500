// Which failure of MySQL, of the network or of TLS is what to the caller. Hosts, users and values are never said.
import { Problem } from '../../platform/problem.ts';
import { away, redact, refusedByEngine, timedOut } from './faults.ts';

const CREDENTIALS = new Set([1044, 1045, 1698, 3118]);
// Too many connections, shutdown, killed connection.
const AWAY = new Set([1040, 1053, 1077, 1079, 1203, 1226, 1927]);
// Interrupted, lock wait, max_execution_time, max_statement_time.
const TIMEOUT = new Set([1317, 1205, 3024, 1969]);
const UNKNOWN_DATABASE = 1049;
// Table, column or function that is not there: what is quoted is a name of the statement's own, not a value.
const UNKNOWN_NAME = new Set([1051, 1054, 1109, 1146, 1305, 1630]);

export function mysqlFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { errno = 0, sqlState, code } = (error ?? {}) as { errno?: number; sqlState?: string; code?: string };
  if (CREDENTIALS.has(errno)) {
    return away(
      error,
      'The warehouse refused the credentials of the connection. Ask an administrator to correct them.',
    );
  }
  if (errno === UNKNOWN_DATABASE) {
    return away(
      error,
      'The warehouse has no database of the configured name. Ask an administrator to correct the connection.',
    );
  }
  if (TIMEOUT.has(errno)) return timedOut(timeoutMs);
  if (!sqlState || sqlState.startsWith('08') || AWAY.has(errno)) return away(error);
  const { message } = error as Error;
  return refusedByEngine(
    error,
    `${code ?? errno} ${UNKNOWN_NAME.has(errno) ? message.slice(0, 500) : redact(message)}`,
  );
}
