// Clients that send a request and read nothing. They use bare sockets, because a library would read ahead.
import { once } from 'node:events';
import net from 'node:net';

export interface SilentRequest {
  method?: string | undefined;
  path: string;
  token: string;
  headers?: Record<string, string> | undefined;
  body?: unknown;
}

export interface SilentReader {
  /**
   * Reads the rest until the server closes or sends nothing more. Returns the number of bytes, and whether the reply
   * is complete.
   */
  drain(): Promise<{ bytes: number; closed: boolean; whole: boolean }>;
  close(): void;
}

const QUIET_MS = 2_000;

export async function openSilentReader(
  url: string,
  { method = 'POST', path, token, headers = {}, body }: SilentRequest,
): Promise<SilentReader> {
  const { hostname, port } = new URL(url);
  const socket = new net.Socket();
  socket.on('error', () => undefined);
  socket.pause();
  socket.connect(Number(port), hostname);
  await once(socket, 'connect');
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    authorization: `Bearer ${token}`,
    ...(text !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  });
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${text}`);
  return {
    async drain() {
      let bytes = 0;
      let head = '';
      let lastBytes = '';
      let lastDataAt = performance.now();
      let isClosed = false;
      socket.on('data', (data) => {
        bytes += data.length;
        if (!head.includes('\r\n\r\n')) head += data.toString('latin1');
        lastBytes = (lastBytes + data.subarray(-5).toString('latin1')).slice(-5);
        lastDataAt = performance.now();
      });
      socket.once('close', () => {
        isClosed = true;
      });
      socket.resume();
      while (!isClosed && performance.now() - lastDataAt < QUIET_MS)
        await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      const begins = head.indexOf('\r\n\r\n') + 4;
      const isComplete = length === undefined ? lastBytes === '0\r\n\r\n' : bytes - begins === Number(length);
      return { bytes, closed: isClosed, whole: isComplete };
    },
    close: () => void socket.destroy(),
  };
}
