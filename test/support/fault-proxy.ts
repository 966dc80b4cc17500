// A TCP proxy between svc and a database that can pass data, hang, refuse connections, or cut a reply after a number of
// bytes. A change also applies to open connections.
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './local-server.ts';
import { untilFileEnds } from './until-file-ends.ts';

type Mood =
  | { kind: 'pass' }
  /** No data passes in either direction, and connections stay open. */
  | { kind: 'hang' }
  /** Open and new connections are reset. */
  | { kind: 'refuse' }
  /** Each connection is reset after this many bytes from the server. */
  | { kind: 'cut'; bytes: number };

export interface FaultProxy {
  port: number;
  set(mood: Mood): void;
}

export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let mood: Mood = { kind: 'pass' };
  const links = new Set<{ down: Socket; up: Socket; passed: number }>();

  const server = createServer((down) => {
    if (mood.kind === 'refuse') {
      down.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const up = connect(target);
    const link = { down, up, passed: 0 };
    links.add(link);
    const forward = (from: Socket, to: Socket, counted: boolean) => {
      from.on('data', (data) => {
        if (counted) link.passed += data.length;
        if (mood.kind === 'hang') hold(from, () => to.write(data));
        else if (mood.kind === 'cut' && counted && link.passed > mood.bytes) {
          to.write(data.subarray(0, Math.max(0, data.length - (link.passed - mood.bytes))), () => reset(link));
        } else to.write(data);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        links.delete(link);
        to.destroy();
      });
    };
    forward(down, up, false);
    forward(up, down, true);
  });
  const held: { from: Socket; go: () => void }[] = [];
  const hold = (from: Socket, go: () => void) => {
    from.pause();
    held.push({ from, go });
  };
  const reset = ({ down, up }: { down: Socket; up: Socket }) => {
    down.resetAndDestroy();
    up.destroy();
  };
  const { port } = await listenLocally(server);
  untilFileEnds(() => links.forEach(reset));
  return {
    port,
    set(next) {
      mood = next;
      for (const link of links) {
        link.passed = 0;
        if (next.kind === 'refuse') reset(link);
      }
      if (next.kind === 'hang') return;
      for (const { from, go } of held.splice(0)) {
        if (from.destroyed) continue;
        go();
        from.resume();
      }
    },
  };
}
