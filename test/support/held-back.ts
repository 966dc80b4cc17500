// Tests that an adapter holds a large result back until there is room, and then returns all of it.
import { expect } from 'vitest';
import type { FetchOptions, Warehouse } from '../../src/domain/ports.ts';

/** `read` fetches 4,000 wide rows. `meanwhile` runs while they wait. */
export async function expectHeldBack(
  read: (hold: Pick<FetchOptions, 'beforeLarge'>) => ReturnType<Warehouse['fetch']>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  let admit = (): void => {};
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  let asked = 0;
  let isDone = false;
  const beforeLarge = () => {
    asked++;
    return admitted;
  };
  const reading = read({ beforeLarge }).finally(() => {
    isDone = true;
  });
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
  await meanwhile();
  expect(isDone).toBe(false);
  admit();
  const { rows, more, bytesCut } = await reading;
  expect({ rows: rows.length, more, bytesCut, asked }).toEqual({
    rows: 4_000,
    more: false,
    bytesCut: false,
    asked: 1,
  });
}
