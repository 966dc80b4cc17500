// A small HTTP balancer that sends requests to the replicas in turn. It skips a replica that refuses the connection. If
// a replica dies during a request, the request fails at the client and is never sent twice.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listenLocally } from './local-server.ts';
import { untilFileEnds } from './until-file-ends.ts';

export interface Balancer {
  url: string;
  /** Replaces the replicas. */
  set(replicas: readonly string[]): void;
}

export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  let targets = [...replicas];
  let turn = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  const forward = (from: IncomingMessage, to: ServerResponse, body: Buffer, first: number, tried = 0): void => {
    const target = targets[(first + tried) % targets.length];
    if (!target || tried === targets.length) {
      to.destroy();
      return;
    }
    const { method, headers, url } = from;
    const onward = request(new URL(url!, target), { method, headers, agent }, (reply) => {
      to.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(to);
      reply.on('error', () => to.destroy());
    });
    onward.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ECONNREFUSED') forward(from, to, body, first, tried + 1);
      else to.destroy();
    });
    to.on('close', () => onward.destroy());
    onward.end(body);
  };
  const server = createServer(async (from, to) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of from) parts.push(part as Buffer);
    } catch {
      return; // the client disconnected
    }
    forward(from, to, Buffer.concat(parts), turn++);
  });
  const { port } = await listenLocally(server);
  untilFileEnds(() => agent.destroy());
  return {
    url: `http://127.0.0.1:${port}`,
    set(next) {
      targets = [...next];
    },
  };
}
