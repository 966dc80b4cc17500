// Records the steps of one ask for its trace and its timings.

import type { TraceStep } from '../domain/observe/trace-repository.ts';
import type { ModelUsage } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';

export class Journal {
  readonly steps: TraceStep[] = [];
  readonly modelCalls: ModelUsage[] = [];
  /** Whether svc called the embedder and got no response. */
  isEmbedderDown = false;
  readonly startedAt: Date;
  readonly #clock: Clock;
  readonly #start = performance.now();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedAt = clock.now();
  }

  async runStep<T>(
    name: string,
    work: () => T | Promise<T>,
    detail: (result: T) => string | null = () => null,
  ): Promise<T> {
    const started_at = this.#clock.now().toISOString();
    const start = performance.now();
    const record = (outcome: string | null) =>
      this.steps.push({ name, started_at, ms: roundMs(performance.now() - start), detail: outcome });
    try {
      const result = await work();
      record(detail(result));
      return result;
    } catch (fault) {
      record(describeFailure(fault as Error));
      throw fault;
    }
  }

  /** Records a finding of a step in the trace only. */
  addNote(name: string, detail: string): void {
    this.steps.push({ name, started_at: this.#clock.now().toISOString(), ms: 0, detail });
  }

  elapsedMs(): number {
    return performance.now() - this.#start;
  }

  timings(): { plan: number; warehouse: number; compose: number; total: number } {
    const sumMs = (...names: string[]) =>
      roundMs(this.steps.filter(({ name }) => names.includes(name)).reduce((sum, { ms }) => sum + ms, 0));
    return {
      plan: sumMs('plan', 'guard'),
      warehouse: sumMs('fetch'),
      compose: sumMs('compose'),
      total: roundMs(performance.now() - this.#start),
    };
  }
}

/** Includes the warehouse's own message, with its literals redacted, because callers can't read these steps. */
const describeFailure = (fault: Error): string =>
  fault instanceof Problem && fault.code === 'upstream' && fault.detail
    ? `failed: ${fault.message} (${fault.detail})`
    : `failed: ${fault.message}`;

const roundMs = (ms: number): number => Math.round(ms * 100) / 100;
