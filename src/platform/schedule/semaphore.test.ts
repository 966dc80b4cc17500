import { expect, it } from 'vitest';
import { Permit, Semaphore } from './semaphore.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets so many in, in order, and forgets whoever gave up waiting', async () => {
  const places = new Semaphore(1);
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
  const places = new Semaphore(1);
  const leave = await places.enter();
  const late = new Permit(places, 'one');
  const taking = late.take(new AbortController().signal);
  late.leave();
  leave();
  await taking;
  await expect(places.enter()).resolves.toBeTypeOf('function');
});

it('9: keeps a place for others, however many of one tenant wait before them', async () => {
  const places = new Semaphore(3, 2);
  const enter = (tenant: string) => places.enter(undefined, tenant);
  const [first] = await Promise.all([enter('busy'), enter('busy')]);
  let third = false;
  const waiting = enter('busy').then((leave) => {
    third = true;
    return leave;
  });
  await enter('calm');
  expect(third).toBe(false);
  first!();
  await waiting;
});
