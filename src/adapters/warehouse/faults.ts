// What a caller may read when a warehouse fails: fixed sentences. Engine text goes to `detail`, literals redacted (G19).
import { type FaultClass, statementFault } from '../../domain/statement-fault.ts';
import { Problem } from '../../platform/problem.ts';

const CANCELLED = 'cancelled by the client';

/** Someone went away: nobody waits for this answer. Told apart from a timeout by `isClientCancellation`. */
export function cancelledByClient(): Problem {
  return new Problem('timeout', 'The request was cancelled before the warehouse answered.', { detail: CANCELLED });
}

export function isClientCancellation(error: unknown): boolean {
  return error instanceof Problem && error.code === 'timeout' && error.detail === CANCELLED;
}

export function timedOut(timeoutMs: number): Problem {
  return new Problem(
    'timeout',
    `The warehouse did not answer within ${timeoutMs} ms. Narrow the question, for example to a shorter period.`,
  );
}

export function away(cause: unknown, message = 'The warehouse is not reachable just now. Try again shortly.'): Problem {
  return new Problem('unreachable', message, { cause, detail: redact(textOf(cause)), retryAfter: 5 });
}

export const refusedByEngine = (
  cause: unknown,
  detail = redact(textOf(cause)),
  reason: FaultClass = 'refused',
): Problem => statementFault(reason, { cause, detail });

/** Quoted literals and long digit runs are values of somebody's rows; identifiers in double quotes are kept. */
export function redact(text: string): string {
  return text
    .split('\n\nLINE ')[0]!
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/((?:input syntax|invalid value|value|out of range)[^:"\n]*:?\s)"[^"]*"/gi, '$1"…"')
    .replace(/\d{4,}/g, '…')
    .slice(0, 500);
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
