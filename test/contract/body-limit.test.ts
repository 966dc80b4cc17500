import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();
const address = new URL(await svc.listen());

/** Sends the whole body in pieces, ignoring the server, and then returns the response. */
async function writeThenRead(size: number): Promise<string> {
  const socket = connect(Number(address.port), address.hostname);
  const answer: Buffer[] = [];
  let socketError: Error | null = null;
  socket.on('error', (error) => {
    socketError = error;
  });
  socket.pause();
  socket.write(
    `POST /v1/query HTTP/1.1\r\nhost: ${address.host}\r\nauthorization: Bearer ${svc.callerKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
  );
  for (let bytesLeft = size; bytesLeft > 0 && !socketError; bytesLeft -= 65_536) {
    socket.write(Buffer.alloc(Math.min(bytesLeft, 65_536), 'x'));
    await sleep(2);
  }
  socket.on('data', (piece) => answer.push(piece));
  await new Promise((done) => socket.once('close', done).resume());
  expect(socketError).toBeNull();
  return Buffer.concat(answer).toString();
}

describe('a request body over the limit', () => {
  it('gets 413 and an error object, even after the client has sent all of it', async () => {
    const answer = await writeThenRead(3_000_000);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(error).toMatchObject({ code: 'too_large' });
  });
});
