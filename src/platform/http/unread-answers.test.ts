import { describe, expect, it, vi } from 'vitest';
import { UnreadAnswerMemory } from './unread-answers.ts';

const MB = 1_048_576;
const ann = { tenant: 'a', caller: 'a/ann' };
const bob = { tenant: 'a', caller: 'a/bob' };
const otherReader = { tenant: 'b', caller: 'b/cid' };

describe('unread answers', () => {
  it('stop their caller beyond 32 MB, and don’t affect other callers', () => {
    const unread = new UnreadAnswerMemory();
    const release = unread.hold(ann, 40 * MB);
    expect(unread.hasRoom(ann)).toBe(false);
    expect(unread.hasRoom(bob)).toBe(true);
    release();
    release();
    expect(unread.hasRoom(ann)).toBe(true);
  });

  it('stop an organization beyond 96 MB', () => {
    const unread = new UnreadAnswerMemory();
    for (let n = 0; n < 4; n++) unread.hold({ tenant: 'a', caller: `a/${n}` }, 25 * MB);
    expect(unread.hasRoom(bob)).toBe(false);
    expect(unread.hasRoom(otherReader)).toBe(true);
  });

  it('never stop an organization below its fair share, whatever the total is', () => {
    const unread = new UnreadAnswerMemory();
    for (const tenant of ['a', 'b', 'c'])
      for (let n = 0; n < 3; n++) unread.hold({ tenant, caller: `${tenant}/${n}` }, 20 * MB);
    expect(unread.hasRoom(otherReader)).toBe(false);
    expect(unread.hasRoom({ tenant: 'd', caller: 'd/eve' })).toBe(true);
  });

  it('admit only as much work as fits in memory, and reserve memory until its answer is counted', async () => {
    const unread = new UnreadAnswerMemory();
    const release = unread.hold(ann, 40 * MB);
    const places: (() => void)[] = [];
    for (let n = 0; n < 9; n++) void unread.waitForRoom('request', ann).then((place) => places.push(place));
    release();
    await Promise.resolve();
    expect(places).toHaveLength(4);
    // If svc admits a caller at the first wait point, the caller also has room at the second wait point, unless answers
    // fill the memory.
    expect(unread.hasRoom(ann)).toBe(true);
    for (let n = 0; n < 5; n++) {
      places[n]!();
      await Promise.resolve();
      expect(places).toHaveLength(5 + n);
    }
    const releaseLarge = unread.hold(ann, 40 * MB);
    places[5]!();
    const admission = unread.waitForRoom('result', ann);
    releaseLarge();
    await admission;
  });

  it('admit waiting work once enough memory is free, and refuse work that waits too long', async () => {
    vi.useFakeTimers();
    try {
      const unread = new UnreadAnswerMemory();
      const release = unread.hold(ann, 40 * MB);
      const [firstEntry, secondEntry] = [unread.waitForRoom('result', ann), unread.waitForRoom('result', ann)];
      release();
      await firstEntry;
      await secondEntry;
      unread.hold(ann, 40 * MB);
      const lateRejection = expect(unread.waitForRoom('result', ann)).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfter: 5,
      });
      const abandonment = new AbortController();
      const abandonedEntry = expect(unread.waitForRoom('result', ann, abandonment.signal)).rejects.toThrow('gone');
      abandonment.abort(new Error('gone'));
      await abandonedEntry;
      await vi.advanceTimersByTimeAsync(10_000);
      await lateRejection;
    } finally {
      vi.useRealTimers();
    }
  });
});
