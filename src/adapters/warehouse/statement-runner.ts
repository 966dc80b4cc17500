// Runs the statements of a warehouse, and aborts a statement that reaches its time limit.
import type { FetchOptions } from '../../domain/ports.ts';
import type { Problem } from '../../platform/problem.ts';
import { startDeadline } from './deadline.ts';
import { createCancellationProblem, createUnreachableProblem } from './faults.ts';

export type StatementLimits = Pick<FetchOptions, 'timeoutMs' | 'signal' | 'maxRows' | 'maxBytes' | 'beforeLarge'>;

export const createInternalLimits = (timeoutMs: number, signal?: AbortSignal): StatementLimits => ({
  timeoutMs,
  maxRows: 1_000_000,
  maxBytes: 268_435_456,
  ...(signal && { signal }),
});

export class StatementRunner {
  readonly #toFault: (error: unknown, timeoutMs: number) => Problem;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(toFault: (error: unknown, timeoutMs: number) => Problem) {
    this.#toFault = toFault;
  }

  async run<T>(
    limits: Pick<StatementLimits, 'timeoutMs' | 'signal'>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#isClosed) throw createUnreachableProblem('the warehouse is closed');
    if (limits.signal?.aborted) throw createCancellationProblem();
    const abort = new AbortController();
    const deadline = startDeadline(limits, () => abort.abort());
    this.#running.add(abort);
    try {
      const result = await work(abort.signal);
      const stopReason = deadline.stopReason();
      if (stopReason) throw stopReason;
      return result;
    } catch (error) {
      throw deadline.stopReason() ?? this.#toFault(error, limits.timeoutMs);
    } finally {
      this.#running.delete(abort);
      deadline.end();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const abort of this.#running) abort.abort();
  }
}
