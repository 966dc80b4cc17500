import { expect, it } from 'vitest';
import { atOnce, inTurns } from './in-turns.ts';

function* burning(rounds: number): Generator<void, string> {
  for (let round = 0; round < rounds; round++) {
    const until = performance.now() + 3;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}

it('lets other work run between the slices of long work', async () => {
  let others = 0;
  let working = true;
  const tick = (): void => {
    others++;
    if (working) setImmediate(tick);
  };
  setImmediate(tick);
  expect(await inTurns(burning(30))).toBe('done');
  working = false;
  expect(others).toBeGreaterThan(2);
});

it('returns the same result without slices', () => {
  expect(atOnce(burning(2))).toBe('done');
});
