import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { backFromElsewhere, elsewhere, LoopShare } from './loop-share.ts';

const burn = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

/** Work of several steps, each of which holds the loop; who is inside is counted. */
async function piece(count: { inside: number; most: number }, until: () => boolean): Promise<void> {
  count.most = Math.max(count.most, ++count.inside);
  do {
    burn(4);
    await sleep(0);
  } while (!until());
  count.inside--;
}

/** Two tenants keep the loop busy until it is noticed. */
async function busy(share: LoopShare): Promise<void> {
  const until = performance.now() + 300;
  const work = () => share.work('busy', () => piece({ inside: 0, most: 0 }, () => performance.now() > until));
  await Promise.all([work(), share.work('other', () => sleep(300))]);
}

it('never holds back a tenant that is alone', async () => {
  const share = new LoopShare();
  const count = { inside: 0, most: 0 };
  const until = performance.now() + 200;
  await Promise.all(
    Array.from({ length: 8 }, () => share.work('one', () => piece(count, () => performance.now() > until))),
  );
  expect(count.most).toBe(8);
});

it('lets a tenant with more under way than the others do one piece at a time on a busy loop', async () => {
  const share = new LoopShare();
  await busy(share);
  const count = { inside: 0, most: 0 };
  const calm = share.work('calm', () => sleep(300));
  await Promise.all(Array.from({ length: 8 }, () => share.work('many', () => piece(count, () => true))));
  expect(count.most).toBe(1);
  const began = performance.now();
  const many = Array.from({ length: 4 }, () => share.work('many', () => sleep(200)));
  await share.work('calm', async () => undefined);
  expect(performance.now() - began).toBeLessThan(100);
  await Promise.all([calm, ...many]);
});

it('gives the place of whoever waits for somebody else to the next, and takes it back', async () => {
  const share = new LoopShare();
  await busy(share);
  const order: string[] = [];
  const calm = share.work('calm', () => sleep(400));
  const first = share.work('many', async () => {
    await elsewhere(async () => {
      await sleep(60);
      await backFromElsewhere();
      order.push('large');
      await sleep(60);
    });
    order.push('first');
  });
  const others = ['second', 'third'].map((name) =>
    share.work('many', async () => {
      order.push(name);
      await sleep(name === 'third' ? 200 : 0);
    }),
  );
  await Promise.all([first, ...others, calm]);
  expect(order).toEqual(['second', 'third', 'large', 'first']);
});
