// The child process of a WorkerPool. It handles one request at a time, and exits when its parent exits.
import { Worker } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import type { WorkerMessage } from './worker-pool.ts';

/** Resolves when the parent requests the next part. */
export type PartSender = (part: unknown) => Promise<void>;

// A thread watches the parent, because a blocked event loop can't notice that the parent has exited. If the parent
// exits early, `process.ppid` is already another id, so the parent passes its own id.
const PARENT_WATCH_SCRIPT = `const { workerData: parent } = require('node:worker_threads');
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);`;

export function serveWorker<Request>(work: (request: Request, sendPart: PartSender) => Promise<unknown>): void {
  const exit = () => process.kill(process.pid, 'SIGKILL'); // process.exit() would wait for a thread that doesn't end
  process.once('disconnect', exit);
  // The parent decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  new Worker(PARENT_WATCH_SCRIPT, { eval: true, execArgv: [], workerData: Number(process.argv[2]) }).unref();
  let resumeParts: () => void = () => undefined;
  const sendMessage = (message: WorkerMessage) => void process.send!(message);
  const sendPart: PartSender = (part) =>
    new Promise((resolve) => {
      resumeParts = resolve;
      sendMessage({ part });
    });
  process.on('message', (message: Request | 'more') => {
    if (message === 'more') return resumeParts();
    work(message as Request, sendPart).then(
      (reply) => sendMessage({ reply }),
      (error: unknown) => sendMessage(toProblemMessage(error)),
    );
  });
  sendMessage({ ready: true });
}

function toProblemMessage(error: unknown): WorkerMessage {
  if (!(error instanceof Problem)) return { fault: error instanceof Error ? error.message : String(error) };
  const { code, message, details, param, detail, retryAfter } = error;
  return {
    problem: {
      code,
      message,
      details,
      ...(param !== null && { param }),
      ...(detail !== undefined && { detail }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
  };
}
