// Splits long CPU work into slices. Each round of the event loop runs only one slice, so other requests run in between.
import { setTimeout as sleep } from 'node:timers/promises';
import { hasOtherBusyTenants } from './scheduler.ts';

const SLICE_MS = 1;
/** While other tenants have work, a pause between two slices leaves time for their short steps. */
const PAUSE_MS = 3;

const pendingResumes: (() => void)[] = [];

export async function waitForTurn(): Promise<void> {
  if (hasOtherBusyTenants()) await sleep(PAUSE_MS);
  return new Promise((resolve) => {
    if (pendingResumes.push(resolve) === 1) setImmediate(resumeNextWaiter);
  });
}

function resumeNextWaiter(): void {
  const nextWaiter = pendingResumes[0]!;
  nextWaiter();
  pendingResumes.shift();
  if (pendingResumes.length > 0) setImmediate(resumeNextWaiter);
}

/** For work that can't be a generator. Call the returned function between steps, and await its promise, if any. */
export function createYieldIfDue(): () => Promise<void> | undefined {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined;
    return waitForTurn().then(() => {
      sliceStart = performance.now();
    });
  };
}

/** The generator yields wherever its work can be interrupted. */
export async function runInTurns<T>(work: Generator<void, T>): Promise<T> {
  const yieldIfDue = createYieldIfDue();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const pause = yieldIfDue();
    if (pause) await pause;
  }
}

/** For callers that share the event loop with no other work. */
export function runWithoutPauses<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
