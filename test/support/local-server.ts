import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { untilFileEnds } from './until-file-ends.ts';

/** Listens on loopback until the test file ends. Returns the port and a function that closes it earlier. */
export async function listenLocally(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeServer = untilFileEnds(async () => {
    if (!server.listening) return;
    server.close();
    (server as Partial<HttpServer>).closeAllConnections?.();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, close: closeServer };
}
