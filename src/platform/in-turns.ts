// Long work without a wait of its own, in slices: between two of them the event loop serves whoever else is there.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** The work yields wherever it may be interrupted. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < SLICE_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** The same work for whoever has the event loop to themselves. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
