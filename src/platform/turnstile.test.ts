import { expect, it } from 'vitest';
import { Place, Turnstile } from './turnstile.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets so many in, in order, and forgets whoever gave up waiting', async () => {
  const places = new Turnstile(1);
  const inside: string[] = [];
  const come = async (name: string, signal?: AbortSignal) => {
    const leave = await places.enter(signal);
    inside.push(name);
    return leave;
  };
  const first = await come('first');
  const impatient = new AbortController();
  const gone = come('impatient', impatient.signal).catch(() => 'gone');
  const second = come('second');
  impatient.abort();
  expect(await gone).toBe('gone');
  await turn();
  expect(inside).toEqual(['first']);
  first();
  first(); // once is enough
  const leave = await second;
  const third = come('third');
  await turn();
  expect(inside).toEqual(['first', 'second']);
  leave();
  await third;
  expect(inside).toEqual(['first', 'second', 'third']);
});

it('gets back a place that came after the work was given up', async () => {
  const places = new Turnstile(1);
  const leave = await places.enter();
  const late = new Place(places);
  const taking = late.take(new AbortController().signal);
  late.leave();
  leave();
  await taking;
  await expect(places.enter()).resolves.toBeTypeOf('function');
});
