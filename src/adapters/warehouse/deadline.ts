// Stops a statement at its time limit. svc calls `stop` repeatedly until the statement has ended.
import { createCancellationProblem, createTimeoutProblem } from './faults.ts';

const ABORT_RETRY_MS = 100; // because an engine can miss a stop request between two phases of its work

export interface Deadline {
  stopReason(): Error | null;
  /** Must run in `finally`. Otherwise, a stop request could affect the next user of the connection. */
  end(): void;
}

export function startDeadline(
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
  stop: () => void,
): Deadline {
  let reason: Error | null = null;
  let repeatTimer: NodeJS.Timeout | undefined;
  const stopWith = (error: Error) => {
    if (reason) return;
    reason = error;
    stop();
    repeatTimer = setInterval(stop, ABORT_RETRY_MS);
  };
  const onAbort = () => stopWith(createCancellationProblem());
  const timer = setTimeout(() => stopWith(createTimeoutProblem(options.timeoutMs)), options.timeoutMs);
  if (options.signal?.aborted) onAbort();
  else options.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    stopReason: () => reason,
    end() {
      clearTimeout(timer);
      clearInterval(repeatTimer);
      options.signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Stops waiting when the signal aborts, for work that doesn't accept a signal. */
export function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const abort = rejectOnAbort(signal);
  return Promise.race([work, abort.promise]).finally(abort.end);
}

/** `end` stops listening to the signal. */
export function rejectOnAbort(signal: AbortSignal): { promise: Promise<never>; end(): void } {
  let onAbort = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new Error('aborted'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  promise.catch(() => undefined);
  return { promise, end: () => signal.removeEventListener('abort', onAbort) };
}
