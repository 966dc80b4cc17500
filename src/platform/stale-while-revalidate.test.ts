import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StaleWhileRevalidate } from './stale-while-revalidate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTime(ms);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a cached value', () => {
  it('is read once while fresh, again in the background after half its time, and never kept longer', async () => {
    let reads = 0;
    const believed = new StaleWhileRevalidate<string, number>({ forMs: 100, max: 10 });
    const get = () => believed.get('key', async () => ++reads);
    expect(await get()).toBe(1);
    later(49);
    expect(await get()).toBe(1);
    expect(reads).toBe(1);
    later(2);
    expect(await get()).toBe(1);
    await settled();
    expect(await get()).toBe(2);
    later(100);
    expect(await get()).toBe(3);
  });

  it('is dropped after a later read fails', async () => {
    const believed = new StaleWhileRevalidate<string, string>({ forMs: 100, max: 10 });
    await believed.get('key', async () => 'good');
    later(60);
    expect(await believed.get('key', () => Promise.reject(new Error('revoked')))).toBe('good');
    await settled();
    await expect(believed.get('key', () => Promise.reject(new Error('revoked')))).rejects.toThrow('revoked');
  });

  it('stays forgotten if a read that began earlier returns later', async () => {
    const believed = new StaleWhileRevalidate<string, string>({ forMs: 100, max: 10 });
    await believed.get('key', async () => 'old');
    later(60);
    let arrive = (_: string): void => {};
    expect(await believed.get('key', () => new Promise((resolve) => (arrive = resolve)))).toBe('old');
    believed.forgetAll();
    arrive('read before the change');
    await settled();
    expect(await believed.get('key', async () => 'new')).toBe('new');
  });
});
