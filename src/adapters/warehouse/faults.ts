// Converts errors of warehouses to problems. Callers see fixed messages. The engine's own message goes into `detail`,
// without literals.
import { createStatementFault, type FaultClass } from '../../domain/statement-fault.ts';
import { Problem } from '../../platform/problem.ts';

const CANCELED_DETAIL = 'canceled by the client';

/** `isClientCancellation` distinguishes this problem from a timeout. */
export function createCancellationProblem(): Problem {
  return new Problem('timeout', 'The request was canceled before the warehouse answered.', { detail: CANCELED_DETAIL });
}

export function isClientCancellation(error: unknown): boolean {
  return error instanceof Problem && error.code === 'timeout' && error.detail === CANCELED_DETAIL;
}

export function createTimeoutProblem(timeoutMs: number): Problem {
  return new Problem(
    'timeout',
    `The warehouse did not answer within ${timeoutMs} ms. Narrow the question, for example to a shorter period.`,
  );
}

export function createUnreachableProblem(cause: unknown, message = explainUnreachable(cause)): Problem {
  return new Problem('unreachable', message, { cause, detail: redactValues(getErrorMessage(cause)), retryAfter: 5 });
}

export const createCredentialsProblem = (cause: unknown): Problem =>
  createUnreachableProblem(
    cause,
    'The warehouse refused the credentials of the connection. Ask an admin to correct them.',
  );
export const createUnknownDatabaseProblem = (cause: unknown): Problem =>
  createUnreachableProblem(
    cause,
    'The warehouse has no database with the configured name. Ask an admin to correct the connection.',
  );

export const createLockedProblem = (cause: unknown): Problem =>
  createUnreachableProblem(cause, 'Another session has locked the data of this statement. Try again shortly.');

/** Maps error codes to fault classes. If several classes list a code, the first class applies. */
export const createFaultClassMap = <Code>(classes: readonly [FaultClass, readonly Code[]][]): Map<Code, FaultClass> =>
  new Map(classes.toReversed().flatMap(([reason, codes]) => codes.map((code) => [code, reason])));

/** The first pattern that matches an error message sets the message that callers see. */
const NETWORK_FAULT_MESSAGES: [RegExp, string][] = [
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'The certificate of the warehouse has expired or is not valid yet. Ask the operator of the warehouse to renew it.',
  ],
  [
    /ALTNAME_INVALID/,
    'The certificate of the warehouse is for another host. Ask an admin to use the host name in the certificate.',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/,
    'An unknown authority issued the certificate of the warehouse. Ask an admin to add the authority to the connection, as ssl: {ca: …} or ?sslrootcert=FILE.',
  ],
  [
    /wrong version number|packet length too long|unknown protocol|does not support (?:SSL|secure connection)/i,
    'The warehouse does not support TLS on the port of its connection. Ask an admin to correct the port, or to set ssl: false (?sslmode=disable) if the network is trusted.',
  ],
  [
    /HPE_|HTTP request (?:was sent )?to (?:an )?HTTPS/i,
    'The port of the connection uses another protocol. Ask an admin to check port and ssl.',
  ],
  [
    /ECONNREFUSED/,
    'The warehouse is not reachable: nothing listens on the host and port of its connection. Try again shortly, or ask an admin to check both.',
  ],
  [
    /ECONNRESET|EPIPE|socket hang up/i,
    'The warehouse ended the connection before it answered. Try again shortly. If this continues, ask an admin to check port and ssl.',
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/,
    'The warehouse is not reachable: its host does not respond. Try again shortly, or ask an admin to check host, port and firewalls.',
  ],
  [
    /\b53300\b|ER_CON_COUNT_ERROR|too many (?:clients|connections)/i,
    'The warehouse has no free connection. Try again shortly. If this continues, ask an admin to raise the limit of the warehouse or to close other connections.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'The host name of the connection can’t be resolved. Ask an admin to check its spelling.'],
];

function explainUnreachable(cause: unknown): string {
  const causeText = describeCauseChain(cause);
  const [, sentence] = NETWORK_FAULT_MESSAGES.find(([words]) => words.test(causeText)) ?? [];
  return sentence ?? 'The warehouse is not reachable. Try again shortly.';
}

/** Includes the messages of all causes, because clients wrap network errors. */
function describeCauseChain(cause: unknown, depth = 0): string {
  if (typeof cause !== 'object' || cause === null || depth > 3) return '';
  const { code, message, cause: innerCause, errors } = cause as Record<string, unknown>;
  const [firstError] = Array.isArray(errors) ? errors : [];
  return [code, message, describeCauseChain(innerCause, depth + 1), describeCauseChain(firstError, depth + 1)].join(
    ' ',
  );
}

export const createEngineRefusalProblem = (
  cause: unknown,
  detail = redactValues(getErrorMessage(cause)),
  reason: FaultClass = 'refused',
): Problem => createStatementFault(reason, { cause, detail });

/**
 * Removes quoted literals and long digit sequences, which can be values from rows. Keeps identifiers in double quotes.
 */
export function redactValues(text: string): string {
  return text
    .split('\n\nLINE ')[0]!
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/((?:input syntax|invalid value|value|out of range)[^:"\n]*:?\s)"[^"]*"/gi, '$1"…"')
    .replace(/\d{4,}/g, '…')
    .slice(0, 500);
}

function getErrorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
