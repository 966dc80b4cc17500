// F2: svc closes a connection that reads nothing, but not one that reads slowly or is idle between two asks.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { openSilentReader } from '../support/silent-readers.ts';

const PATIENCE_MS = 2_000;
const text = Array.from({ length: 8 }, () => `repeat('abcdefgh', 1000)`).join(' || ');
const LARGE = { lens: 'shop', sql: `select r.range, ${text} as note from orders, range(40) r`, limit: 500 };
const svc = await startTestApp({
  operator: {
    limits: {
      requests_per_minute: 100_000,
      asks_in_flight: 32,
      warehouse_timeout_ms: 30_000,
      max_result_bytes: 16_777_216,
      slow_reader_s: PATIENCE_MS / 1_000,
    },
  },
});
const base = await svc.listen();
/** The number of open connections of the server. */
const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    svc.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
const open = (path: string, body: unknown) => openSilentReader(base, { path, token: svc.callerKey, body });

describe('F2: the connection of a slow reader', () => {
  it('is closed before the answer is complete if the client reads nothing', async () => {
    expect((await svc.post('/v1/sql', LARGE)).text.length).toBeGreaterThan(16_000_000);
    const reader = await open('/v1/sql', LARGE);
    await expect.poll(countConnections, { timeout: 20_000, interval: 200 }).toBe(1);
    await expect.poll(countConnections, { timeout: 20_000, interval: 200 }).toBe(0);
    expect(await reader.drain()).toMatchObject({ closed: true, whole: false });
  });

  it.concurrent('stays open while the client reads the answer slowly', async () => {
    const { hostname, port } = new URL(base);
    const socket = net.connect(Number(port), hostname);
    const body = JSON.stringify(LARGE);
    socket.write(
      `POST /v1/sql HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${svc.callerKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    let last = '';
    const startedAt = performance.now();
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      last = (last + chunk.subarray(-5).toString('latin1')).slice(-5);
      await sleep(25);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(PATIENCE_MS * 2);
    expect(last).toBe('0\r\n\r\n');
  });

  it.concurrent('stays open for the next request after the answer', async () => {
    const reader = await open('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
    await sleep(PATIENCE_MS * 2);
    expect(await reader.drain()).toMatchObject({ closed: false, whole: true });
  });

  it.concurrent('stays open while svc prepares the answer', async () => {
    const slowSql = 'select count(*) as n from range(30000000) a where sqrt(a.range) > 5';
    const reader = await open('/v1/sql', {
      lens: 'shop',
      sql: `${slowSql} and a.range in (select row_id from orders)`,
    });
    await sleep(PATIENCE_MS * 2);
    expect(await reader.drain()).toMatchObject({ closed: false, whole: true });
  });
});
