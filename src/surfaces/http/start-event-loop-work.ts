// svc charges the event loop time of a request, from its body to its response, to its organization.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { StartedTask } from '../../platform/schedule/scheduler.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's work on the event loop, until the response is finished. */
    eventLoopWork: StartedTask | undefined;
  }
}

/** Returns a promise only if the request has to wait. */
export function startEventLoopWork(
  { scheduler }: Pick<Deps, 'scheduler'>,
  request: FastifyRequest,
): StartedTask | Promise<StartedTask> {
  const keepTask = (task: StartedTask): StartedTask => {
    request.eventLoopWork = task;
    if (request.raw.socket.destroyed) task.end(); // The client disconnected while the request was waiting.
    return task;
  };
  const task = request.eventLoopWork ?? scheduler.begin(request.principal?.orgId ?? '');
  return task instanceof Promise ? task.then(keepTask) : keepTask(task);
}
