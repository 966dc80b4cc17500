// Splits long CPU work into slices, so that the event loop can serve other requests between them. Each round of the
// event loop runs only one slice, regardless of how much work waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { hasOtherTenantsAtWork } from './scheduler.ts';

const SLICE_MS = 1;
/**
 * The pause between two slices while other tenants have work. Their work usually consists of many short steps, which
 * can run during the pause.
 */
const PAUSE_MS = 3;

const waiters: (() => void)[] = [];

/** Resolves in a later round of the event loop, in which no other slice runs. */
export async function waitForTurn(): Promise<void> {
  if (hasOtherTenantsAtWork()) await sleep(PAUSE_MS);
  return new Promise((resolve) => {
    if (waiters.push(resolve) === 1) setImmediate(resumeNextWaiter);
  });
}

function resumeNextWaiter(): void {
  const nextWaiter = waiters[0]!;
  nextWaiter();
  waiters.shift();
  if (waiters.length > 0) setImmediate(resumeNextWaiter);
}

/**
 * Slices work that can't be a generator. Call the returned function between steps. The function returns a promise if
 * the current slice has used up its time.
 */
export function createSlicer(): () => Promise<void> | undefined {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined;
    return waitForTurn().then(() => {
      sliceStart = performance.now();
    });
  };
}

/** Runs a generator in slices. The generator yields wherever its work can be interrupted. */
export async function runInTurns<T>(work: Generator<void, T>): Promise<T> {
  const yieldIfDue = createSlicer();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const pause = yieldIfDue();
    if (pause) await pause;
  }
}

/** Runs the same generator without pauses, for callers that have the event loop to themselves. */
export function runWithoutPauses<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
