import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limit.ts';

function createSharedCounter() {
  const takenByBucket = new Map<string, number>();
  let writes = 0;
  return {
    writes: () => writes,
    take: async (bucket: string, window: number, requestedCount: number) => {
      writes++;
      const total = (takenByBucket.get(`${bucket}/${window}`) ?? 0) + requestedCount;
      takenByBucket.set(`${bucket}/${window}`, total);
      return total;
    },
  };
}

describe('RateLimiter', () => {
  it('allows exactly the limit in a window, and again in the next one', async () => {
    let now = 0;
    const limiter = new RateLimiter(createSharedCounter().take, () => now);
    const takeOne = async () =>
      (await Promise.all(Array.from({ length: 200 }, () => limiter.take('k', 60)))).filter(
        (verdict) => verdict.isAllowed,
      ).length;
    expect(await takeOne()).toBe(60);
    expect(await limiter.take('k', 60)).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 60 });
    now = 60_000;
    expect(await takeOne()).toBe(60);
  });

  it.each([25, 60, 600, 6000])('keeps three replicas together within 10 %% of %i', async (limit) => {
    const table = createSharedCounter();
    const replicas = [0, 1, 2].map(() => new RateLimiter(table.take, () => 0));
    let allowedCount = 0;
    for (let i = 0; i < limit * 2; i++) if ((await replicas[i % 3]!.take('k', limit)).isAllowed) allowedCount++;
    expect(allowedCount).toBeGreaterThanOrEqual(limit * 0.9);
    expect(allowedCount).toBeLessThanOrEqual(Math.ceil(limit * 1.1));
    expect(table.writes()).toBeLessThan(60);
  });

  it('counts only its own requests while it can’t reach the table', async () => {
    const limiter = new RateLimiter(
      () => Promise.reject(new Error('away')),
      () => 0,
    );
    let allowedCount = 0;
    for (let i = 0; i < 100; i++) if ((await limiter.take('k', 50)).isAllowed) allowedCount++;
    expect(allowedCount).toBe(50);
  });
});
