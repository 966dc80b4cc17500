// Requests an asynchronous response (RFC 7240), to show progress. A server can send the result directly instead.
import { type Client, RefusalError } from '../client.ts';
import { Failure } from './failure.ts';
import { showProgress } from './print.ts';

interface RunState<Result> {
  state: 'running' | 'succeeded' | 'failed' | 'cancelled';
  progress: { step?: string; done?: number; total?: number };
  result: Result;
  error: { code: string; message: string } | null;
}
const FIRST_POLL_DELAY_MS = 50;
const MAX_POLL_DELAY_MS = 400;
const PROJECT_REFUSED_STATUS = 422;

export async function callOperation<Result>(
  client: Client,
  activity: string,
  path: string,
  body?: unknown,
): Promise<Result> {
  const startReply = await client.call<Result & { run_id?: string }>('POST', path, body, { prefer: 'respond-async' });
  return startReply.run_id === undefined ? startReply : waitForRun<Result>(client, activity, startReply.run_id);
}

export async function waitForRun<Result>(client: Client, activity: string, id: string): Promise<Result> {
  try {
    for (let waitMs = FIRST_POLL_DELAY_MS; ; waitMs = Math.min(waitMs * 2, MAX_POLL_DELAY_MS)) {
      const run = await client.call<RunState<Result>>('GET', `/mgmt/runs/${id}`);
      if (run.state === 'succeeded') return run.result;
      if (run.state !== 'running') throw toFailure(run, activity);
      const { step, done = 0, total } = run.progress;
      showProgress(
        step === undefined && total === undefined
          ? `${activity}…`
          : `${activity}: ${step ?? ''} ${done} of ${total ?? '?'}`,
      );
      await new Promise((go) => setTimeout(go, waitMs));
    }
  } finally {
    showProgress('');
  }
}

function toFailure({ result, error, state }: RunState<unknown>, activity: string): Failure {
  if (result !== null && typeof result === 'object' && 'error' in result)
    return new RefusalError(PROJECT_REFUSED_STATUS, result as never);
  return new Failure(error?.message ?? `${activity} did not finish: the run is ${state}.`);
}
