// F16 below HTTP: requests that no HTTP client would send, and clients that never finish theirs.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';

const svc = await startTestApp();
const port = Number(new URL(await svc.listen()).port);

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends the bytes and returns everything that the server sends before it closes the connection. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = await open();
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  const closeEvent = once(socket, 'close');
  socket.write(bytes);
  await closeEvent;
  return Buffer.concat(parts).toString();
}

async function answers(): Promise<void> {
  const history = new History();
  const reply = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
  history.add(svc.orgId, svc.callerKey, reply);
  expect(reply.status).toBe(200);
  await checkInvariants(svc, history);
}

describe('F16: invalid HTTP requests', () => {
  const head = 'POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
  const smuggled = 'GET /mgmt/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  it.each([
    ['a length and chunks', `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`],
    ['a length that isn’t a number', `${head}Content-Length: 2x\r\n\r\n{}`],
    ['chunks with an invalid size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
    ['chunked twice', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a header folded over lines', `${head}X-Folded: a\r\n b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
    ['a header with a NUL', `${head}X-Nul: a\u0000b\r\n\r\n`],
    ['oversized headers', `${head}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ])('get one 4xx reply and a closed connection, and nothing after them is read: %s', async (_what, bytes) => {
    const reply = await sendRaw(bytes);
    expect(reply).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(reply.match(/HTTP\/1\.1 /g), reply).toHaveLength(1);
    const [head, body] = reply.split('\r\n\r\n');
    const requestId = /^x-request-id: (\S+)$/im.exec(head!)?.[1];
    expect(JSON.parse(body!).error).toMatchObject({ code: 'malformed', request_id: requestId });
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
  });

  it('leave the service able to answer', answers);
});

it('F16: answers others while 100 clients never finish their headers', async () => {
  const slowSockets = await Promise.all(Array.from({ length: 100 }, open));
  for (const socket of slowSockets) socket.write('POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  await answers();
  for (const socket of slowSockets) socket.write('x');
  expect((await svc.get('/health', null)).status).toBe(200);
  await answers();
  for (const socket of slowSockets) socket.destroy();
});
