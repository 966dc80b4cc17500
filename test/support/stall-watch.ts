// Measures how late /health of a process is, compared with a bare server. A delay of both comes from the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const BARE = `const s = require('http').createServer((_, r) => r.end('ok')).listen(0, '127.0.0.1', () => console.log(s.address().port));
process.on('disconnect', () => process.exit());`;
const EVERY_MS = 15;

export interface StallWatch {
  /** The longest delay of /health beyond that of the bare server and of this process, since the previous call. */
  worst(): number;
  stop(): void;
}

export async function watchStalls(url: string): Promise<StallWatch> {
  const bareServer: ChildProcess = spawn(process.execPath, ['-e', BARE], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const [port] = (await once(bareServer.stdout!, 'data')) as [Buffer];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  let watching = true;
  let health = 0;
  let otherDelay = 0;
  const probe = async (target: string, onDelay: (ms: number) => void) => {
    while (watching) {
      const askedAt = performance.now();
      await new Promise<void>((resolve) => {
        http.get(target, { agent }, (reply) => reply.resume().once('end', resolve)).once('error', () => resolve());
      });
      onDelay(performance.now() - askedAt);
      const rested = performance.now();
      await sleep(EVERY_MS);
      otherDelay = Math.max(otherDelay, performance.now() - rested - EVERY_MS);
    }
  };
  void probe(`${url}/health`, (ms) => {
    health = Math.max(health, ms);
  });
  void probe(`http://127.0.0.1:${String(port).trim()}/`, (ms) => {
    otherDelay = Math.max(otherDelay, ms);
  });
  return {
    worst() {
      const excessDelay = health - otherDelay;
      health = 0;
      otherDelay = 0;
      return excessDelay;
    },
    stop() {
      watching = false;
      agent.destroy();
      bareServer.kill();
    },
  };
}
