// Long work without a wait of its own, in slices: between two of them the event loop serves whoever else is there.
// However many of them there are, each round of the loop runs one slice, in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { othersWait } from './loop-share.ts';

const SLICE_MS = 1;
/** Between two slices while other tenants have work: theirs has many short steps. */
const REST_MS = 3;

const waiting: (() => void)[] = [];

/** Resolves in a later round of the event loop, when no other slice runs in it. */
export async function nextTurn(): Promise<void> {
  if (othersWait()) await sleep(REST_MS);
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  const next = waiting[0]!;
  next();
  waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
}

/** For work that can't be a generator: waits whenever a slice of it has gone by. */
export function slices(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}

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
