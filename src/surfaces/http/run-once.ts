// Applies Idempotency-Key on routes that create something.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../platform/problem.ts';
import { type KeyedReply, runOnceByKey } from '../../platform/tenancy/idempotency.ts';

export const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Repeating a request with the same key within a day has no further effect and returns the same response'),
});

/** Runs `work` only once for each Idempotency-Key of this credential. Without this header, `work` always runs. */
export async function runOnce<Body>(
  deps: Pick<Deps, 'tenancy' | 'project'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<{ status: number; body: Body }>,
): Promise<Body> {
  const key = request.headers['idempotency-key'];
  const outcome =
    key === undefined
      ? await work()
      : ((await runOnceByKey(
          { tenancy: deps.tenancy, secrets: deps.project.secrets },
          toKeyedRequest(request, key),
          work,
        )) as KeyedReply);
  reply.code(outcome.status);
  return outcome.body as Body;
}

function toKeyedRequest(request: FastifyRequest, key: string | string[]) {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', 'Send one Idempotency-Key of 1 to 255 visible ASCII characters.');
  }
  const { principal } = request;
  const text = JSON.stringify([request.method, request.url, request.body ?? null]);
  return {
    orgId: principal.orgId,
    actor: `${principal.kind}:${principal.userId ?? principal.callerId ?? principal.credentialId ?? principal.name}`,
    key,
    fingerprint: createHash('sha256').update(text).digest('hex'),
  };
}
