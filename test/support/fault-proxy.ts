// A TCP proxy between svc and a database that can pass data, hang, refuse connections, end sessions, or cut a reply
// after a number of bytes. A change also applies to open connections.
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './local-server.ts';
import { untilFileEnds } from './until-file-ends.ts';

type ProxyState =
  | { kind: 'pass' }
  /** No data passes in either direction, and connections stay open. */
  | { kind: 'hang' }
  /** Open and new connections are reset. */
  | { kind: 'refuse' }
  /** Each connection is reset after this many bytes from the server. */
  | { kind: 'cut'; bytes: number }
  /** PostgreSQL ends each session in the same packet in which it reports that the session is ready. */
  | { kind: 'terminate' };

/** PostgreSQL's message that a session outside a transaction is ready. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const TERMINATED = (() => {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields, 'latin1')]);
})();

export interface FaultProxy {
  port: number;
  set(mood: ProxyState): void;
}

export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let state: ProxyState = { kind: 'pass' };
  const connections = new Set<{ down: Socket; up: Socket; passed: number }>();

  const server = createServer((clientSocket) => {
    if (state.kind === 'refuse') {
      clientSocket.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const up = connect(target);
    const link = { down: clientSocket, up, passed: 0 };
    connections.add(link);
    const forward = (from: Socket, to: Socket, isCounted: boolean) => {
      from.on('data', (data) => {
        if (isCounted) link.passed += data.length;
        if (state.kind === 'hang') hold(from, () => to.write(data));
        else if (state.kind === 'cut' && isCounted && link.passed > state.bytes) {
          to.write(data.subarray(0, Math.max(0, data.length - (link.passed - state.bytes))), () => reset(link));
        } else if (state.kind === 'terminate' && isCounted && data.subarray(-READY.length).equals(READY)) {
          to.end(Buffer.concat([data, TERMINATED]));
        } else to.write(data);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        connections.delete(link);
        to.destroy();
      });
    };
    forward(clientSocket, up, false);
    forward(up, clientSocket, true);
  });
  const heldSockets: { from: Socket; go: () => void }[] = [];
  const hold = (from: Socket, go: () => void) => {
    from.pause();
    heldSockets.push({ from, go });
  };
  const reset = ({ down, up }: { down: Socket; up: Socket }) => {
    down.resetAndDestroy();
    up.destroy();
  };
  const { port } = await listenLocally(server);
  untilFileEnds(() => connections.forEach(reset));
  return {
    port,
    set(next) {
      state = next;
      for (const link of connections) {
        link.passed = 0;
        if (next.kind === 'refuse') reset(link);
      }
      if (next.kind === 'hang') return;
      for (const { from, go } of heldSockets.splice(0)) {
        if (from.destroyed) continue;
        go();
        from.resume();
      }
    },
  };
}
