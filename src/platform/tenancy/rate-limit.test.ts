import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limit.ts';

function shared() {
  const taken = new Map<string, number>();
  let writes = 0;
  return {
    writes: () => writes,
    take: async (bucket: string, window: number, wanted: number) => {
      writes++;
      const total = (taken.get(`${bucket}/${window}`) ?? 0) + wanted;
      taken.set(`${bucket}/${window}`, total);
      return total;
    },
  };
}

describe('RateLimiter', () => {
  it('allows exactly the limit in a window, and again in the next one', async () => {
    let now = 0;
    const limiter = new RateLimiter(shared().take, () => now);
    const allowed = async () =>
      (await Promise.all(Array.from({ length: 200 }, () => limiter.take('k', 60)))).filter((verdict) => verdict.allowed)
        .length;
    expect(await allowed()).toBe(60);
    expect(await limiter.take('k', 60)).toMatchObject({ allowed: false, remaining: 0, reset: 60 });
    now = 60_000;
    expect(await allowed()).toBe(60);
  });

  it.each([25, 60, 600, 6000])('keeps three replicas together within 10 %% of %i', async (limit) => {
    const table = shared();
    const replicas = [0, 1, 2].map(() => new RateLimiter(table.take, () => 0));
    let allowed = 0;
    for (let i = 0; i < limit * 2; i++) if ((await replicas[i % 3]!.take('k', limit)).allowed) allowed++;
    expect(allowed).toBeGreaterThanOrEqual(limit * 0.9);
    expect(allowed).toBeLessThanOrEqual(Math.ceil(limit * 1.1));
    expect(table.writes()).toBeLessThan(60);
  });

  it('counts alone while it can’t reach the table', async () => {
    const limiter = new RateLimiter(
      () => Promise.reject(new Error('away')),
      () => 0,
    );
    let allowed = 0;
    for (let i = 0; i < 100; i++) if ((await limiter.take('k', 50)).allowed) allowed++;
    expect(allowed).toBe(50);
  });
});
