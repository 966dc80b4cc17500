// Keeps track of the prepared statements in a session. The name of a prepared statement is a hash of its SQL, because a
// pooler can share sessions between clients.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface ParseConnection {
  parse(message: { name: string; text: string }): void;
  close(message: { type: 'S'; name: string }): void;
}

const MAX_PREPARED_PER_SESSION = 50; // A plan takes tens of kilobytes of the server's memory.
const PREPARED_TTL_MS = 600_000; // A plan becomes outdated as tables grow.
// Matches literals that PostgreSQL evaluates when it parses a statement, although their value changes over time:
// 'today', a time in a named zone, and strings that can hide such a literal.
const VOLATILE_CONSTANT_PATTERN =
  /now|today|tomorrow|yesterday|timetz|time\s+with|\d:\d\d[^']*[a-z]|\\|u&|\$\D|'\s*\n\s*'/i;

/** Returns null if the server must parse the SQL each time. */
export const createStatementName = (text: string): string | null =>
  VOLATILE_CONSTANT_PATTERN.test(text) ? null : `svc_${createHash('sha256').update(text).digest('base64url')}`;

/** Returns `changed` if the columns of the statement changed, and `elsewhere` if a pooler chose another session. */
export function findStaleness(fault: unknown): 'changed' | 'elsewhere' | null {
  const { code } = (fault ?? {}) as { code?: string };
  return code === '0A000' ? 'changed' : code === '26000' || code === '42P05' ? 'elsewhere' : null;
}

export class PreparedStatements {
  readonly #outdatedNames: string[] = [];
  readonly #preparedNames = new LRUCache<string, true>({
    max: MAX_PREPARED_PER_SESSION,
    ttl: PREPARED_TTL_MS,
    ttlResolution: 1_000, // the cache reads the clock only at this interval
    noDisposeOnSet: true,
    dispose: (_, name) => this.#outdatedNames.push(name),
  });

  /** Sends the messages that the server needs before svc binds `name`. */
  prepare(wire: ParseConnection, name: string, text: string): void {
    const isPrepared = this.#preparedNames.get(name);
    for (const closedName of this.#outdatedNames.splice(0)) wire.close({ type: 'S', name: closedName });
    if (isPrepared) return;
    wire.close({ type: 'S', name }); // the failed request may have created the statement
    wire.parse({ name, text });
  }

  markPrepared(name: string): void {
    this.#preparedNames.set(name, true);
  }

  forget(name: string): void {
    this.#preparedNames.delete(name);
  }
}
