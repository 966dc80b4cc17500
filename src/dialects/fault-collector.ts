// Collects the reasons to refuse a statement, so that one reply lists all of them.
import { distance } from 'fastest-levenshtein';
import type { ProblemDetail } from '../contract/problem.ts';
import { Problem } from '../platform/problem.ts';

const MAX_FAULTS = 20;

export class FaultCollector {
  readonly #details: ProblemDetail[] = [];

  add(code: string, message: string, options: { offset?: number } = {}): void {
    if (this.#details.length < MAX_FAULTS && !this.#details.some((detail) => detail.message === message)) {
      this.#details.push({ path: 'sql', code, message, ...options });
    }
  }

  get list(): readonly ProblemDetail[] {
    return this.#details;
  }

  throwIfAny(): void {
    if (this.#details.length > 0) this.refuse();
  }

  refuse(): never {
    const [firstDetail] = this.#details;
    const remainingCount = this.#details.length - 1;
    throw new Problem(
      'guard_refused',
      `The SQL was refused: ${firstDetail!.message}${remainingCount > 0 ? ` (and ${remainingCount} more, see details)` : ''}`,
      { details: [...this.#details] },
    );
  }
}

/** If reading a statement exhausts the stack, refuses the statement as nested too deeply. */
export async function refuseStackOverflow<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const faults = new FaultCollector();
    faults.add(
      'too_deep',
      'The parentheses, joins, operators or queries of the statement are nested too deeply. Simplify the statement.',
    );
    return faults.refuse();
  }
}

/**
 * Returns the end of a message: the closest candidates, such as ` Did you mean region?`, or the first candidates of the
 * list.
 */
export function suggestNames(name: string, candidates: Iterable<string>): string {
  const lowercaseName = name.toLowerCase();
  const uniqueNames = [...new Set(candidates)];
  const closeNames = uniqueNames
    .map((candidate) => ({ candidate, edits: distance(lowercaseName, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3);
  if (closeNames.length > 0) return ` Did you mean ${closeNames.map(({ candidate }) => candidate).join(', ')}?`;
  if (uniqueNames.length === 0) return '';
  const listedNames = uniqueNames.slice(0, 12);
  return ` Available: ${listedNames.join(', ')}${uniqueNames.length > listedNames.length ? ', …' : ''}.`;
}
