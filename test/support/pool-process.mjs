// Work for the test of the worker pool (src/platform/schedule/worker-pool.test.ts). Starts from the build, because tsx
// takes a second for each process.
import { Problem } from '../../dist/platform/problem.js';
import { serveWorker } from '../../dist/platform/schedule/serve-worker.js';

serveWorker(async (request, sendPart) => {
  if (request === 'hang') for (;;);
  if (request === 'end') process.kill(process.pid, 'SIGKILL');
  if (request === 'refuse') throw new Problem('invalid', 'no', { retryAfter: 3 });
  if (request === 'parts') for (const part of [1, 2, 3]) await sendPart(part);
  return process.pid;
});
