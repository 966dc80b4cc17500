import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StaleWhileRevalidate } from './stale-while-revalidate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const advanceTime = (ms: number) => vi.advanceTimersByTime(ms);
const waitForNextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('a cached value', () => {
  it('is read once while fresh, again in the background after half of its time, and never kept beyond its time', async () => {
    let reads = 0;
    const cache = new StaleWhileRevalidate<string, number>({ maxAgeMs: 100, max: 10 });
    const get = () => cache.get('key', async () => ++reads);
    expect(await get()).toBe(1);
    advanceTime(49);
    expect(await get()).toBe(1);
    expect(reads).toBe(1);
    advanceTime(2);
    expect(await get()).toBe(1);
    await waitForNextTick();
    expect(await get()).toBe(2);
    advanceTime(100);
    expect(await get()).toBe(3);
  });

  it('is dropped after a later read fails', async () => {
    const cache = new StaleWhileRevalidate<string, string>({ maxAgeMs: 100, max: 10 });
    await cache.get('key', async () => 'good');
    advanceTime(60);
    expect(await cache.get('key', () => Promise.reject(new Error('revoked')))).toBe('good');
    await waitForNextTick();
    await expect(cache.get('key', () => Promise.reject(new Error('revoked')))).rejects.toThrow('revoked');
  });

  it('stays forgotten if a read that began earlier returns later', async () => {
    const cache = new StaleWhileRevalidate<string, string>({ maxAgeMs: 100, max: 10 });
    await cache.get('key', async () => 'old');
    advanceTime(60);
    let resolveRead = (_: string): void => {};
    expect(await cache.get('key', () => new Promise((resolve) => (resolveRead = resolve)))).toBe('old');
    cache.forgetAll();
    resolveRead('read before the change');
    await waitForNextTick();
    expect(await cache.get('key', async () => 'new')).toBe('new');
  });
});
