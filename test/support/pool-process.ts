// Work for the test of the worker pool (src/platform/schedule/worker-pool.test.ts).
import { Problem } from '../../src/platform/problem.ts';
import { serveWorker } from '../../src/platform/schedule/serve-worker.ts';

serveWorker(async (request: 'pid' | 'hang' | 'end' | 'refuse' | 'parts', sendPart) => {
  if (request === 'hang') for (;;);
  if (request === 'end') process.kill(process.pid, 'SIGKILL');
  if (request === 'refuse') throw new Problem('invalid', 'no', { retryAfter: 3 });
  if (request === 'parts') for (const part of [1, 2, 3]) await sendPart(part);
  return process.pid;
});
