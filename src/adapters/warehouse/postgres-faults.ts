// Which failure of PostgreSQL, of the network or of TLS is what to the caller. Hosts, users and values are never said.
import { Problem } from '../../platform/problem.ts';
import { away, redact, refusedByEngine, timedOut } from './faults.ts';

const SQLSTATE = /^[0-9A-Z]{5}$/;
// Connection, credentials, unknown database, shutdown, too many connections.
const AWAY = /^(08|28|3D000|57P0|53300)/;
// Query cancelled, lock not available, idle and transaction timeouts.
const TIMEOUT = /^(57014|55P03|25P0[34])$/;

export function postgresFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { code = '', severity } = (error ?? {}) as { code?: string; severity?: string };
  if (!severity || !SQLSTATE.test(code)) return away(error);
  if (AWAY.test(code)) return away(error, awayMessage(code));
  if (TIMEOUT.test(code)) return timedOut(timeoutMs);
  return refusedByEngine(error, `${code} ${redact((error as Error).message)}`);
}

function awayMessage(code: string): string | undefined {
  if (code.startsWith('28'))
    return 'The warehouse refused the credentials of the connection. Ask an administrator to correct them.';
  if (code === '3D000')
    return 'The warehouse has no database of the configured name. Ask an administrator to correct the connection.';
  return undefined;
}
