// Statements that a session of PostgreSQL keeps parsed and planned, which takes longer than a small one runs. A name is
// made of the text, so that it never represents another one, also where a pooler shares its sessions among clients. The
// server plans again whenever a table, its statistics or the search path change.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Wire {
  parse(message: { name: string; text: string }): void;
  close(message: { type: 'S'; name: string }): void;
}

const KEPT = 50; // on each session: a plan takes tens of kilobytes of the server's memory
const KEPT_MS = 600_000; // tables grow, and no statistics are taken of some
// What is read once, when the text is parsed, and may mean something else tomorrow: 'today', a time in a zone by its name,
// and whatever a text may hide these in.
const DATED = /now|today|tomorrow|yesterday|timetz|time\s+with|\d:\d\d[^']*[a-z]|\\|u&|\$\D|'\s*\n\s*'/i;

/** Null for a text that has to be parsed each time. */
export const keptName = (text: string): string | null =>
  DATED.test(text) ? null : `svc_${createHash('sha256').update(text).digest('base64url')}`;

/** Whether a kept statement can't be run as such: its result has other columns by now, or a pooler gave another session. */
export function staleness(fault: unknown): 'changed' | 'elsewhere' | null {
  const { code } = (fault ?? {}) as { code?: string };
  return code === '0A000' ? 'changed' : code === '26000' || code === '42P05' ? 'elsewhere' : null;
}

/** Of one session. */
export class KeptStatements {
  readonly #gone: string[] = [];
  readonly #held = new LRUCache<string, true>({
    max: KEPT,
    ttl: KEPT_MS,
    ttlResolution: 1_000, // its clock is a timer
    noDisposeOnSet: true,
    dispose: (_, name) => this.#gone.push(name),
  });

  /** Sends what lets `name` be bound. */
  prepare(wire: Wire, name: string, text: string): void {
    const held = this.#held.get(name);
    for (const gone of this.#gone.splice(0)) wire.close({ type: 'S', name: gone });
    if (held) return;
    wire.close({ type: 'S', name }); // may be there, of a batch that failed
    wire.parse({ name, text });
  }

  prepared(name: string): void {
    this.#held.set(name, true);
  }

  forget(name: string): void {
    this.#held.delete(name);
  }
}
