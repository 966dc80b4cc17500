import { expect, it } from 'vitest';
import { runInTurns, runWithoutPauses } from './in-turns.ts';

function* blockEventLoop(rounds: number): Generator<void, string> {
  for (let round = 0; round < rounds; round++) {
    const endTime = performance.now() + 3;
    while (performance.now() < endTime);
    yield;
  }
  return 'done';
}

it('lets other work run between the slices of long work', async () => {
  let otherTurns = 0;
  let isWorking = true;
  const tick = (): void => {
    otherTurns++;
    if (isWorking) setImmediate(tick);
  };
  setImmediate(tick);
  expect(await runInTurns(blockEventLoop(30))).toBe('done');
  isWorking = false;
  expect(otherTurns).toBeGreaterThan(2);
});

it('returns the same result without slices', () => {
  expect(runWithoutPauses(blockEventLoop(2))).toBe('done');
});
