// Keeps the order of the results. Work without I/O yields to the event loop between items.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

export async function mapInParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
  onDone?: (done: number, total: number) => void,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let nextIndex = 0;
  let doneCount = 0;
  let sliceStart = performance.now();
  const worker = async (): Promise<void> => {
    while (nextIndex < items.length) {
      const index = nextIndex++;
      if (performance.now() - sliceStart >= SLICE_MS) {
        await nextTurn();
        sliceStart = performance.now();
      }
      results[index] = await work(items[index]!, index);
      onDone?.(++doneCount, items.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}

export function limitConcurrency(concurrency: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiters: (() => void)[] = [];
  let freeSlots = concurrency;
  return async (work) => {
    if (freeSlots > 0) freeSlots--;
    else await new Promise<void>((go) => void waiters.push(go));
    try {
      return await work();
    } finally {
      const nextWaiter = waiters.shift();
      if (nextWaiter) nextWaiter();
      else freeSlots++;
    }
  };
}
