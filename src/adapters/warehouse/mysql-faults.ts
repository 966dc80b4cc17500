// Which failure of MySQL, of the network or of TLS is what to the caller. Hosts, users and values are never said.
import { Problem } from '../../platform/problem.ts';
import { away, redact, refusedByEngine, timedOut } from './faults.ts';

const CREDENTIALS = new Set([1044, 1045, 1698, 3118]);
// Too many connections, shutdown, killed connection.
const AWAY = new Set([1040, 1053, 1077, 1079, 1203, 1226, 1927]);
// Interrupted, lock wait, max_execution_time, max_statement_time.
const TIMEOUT = new Set([1317, 1205, 3024, 1969]);
const UNKNOWN_DATABASE = 1049;

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
  return refusedByEngine(error, `${code ?? errno} ${redact((error as Error).message)}`);
}
