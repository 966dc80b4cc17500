// What the control plane's routes have in common: schema parts, who acts, entity tags.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Actor } from '../../domain/audit/audited.ts';
import { Problem } from '../../platform/problem.ts';
import { bearer, callerProblems, problems } from '../http/route-schema.ts';
import { idempotencyHeader } from '../http/run-once.ts';

export const actorOf = (request: FastifyRequest): Actor => ({
  orgId: request.principal.orgId,
  name: request.principal.name,
  requestId: request.id,
});

/** Schema of a GET. */
export const reading = <R extends z.ZodType>(tag: string, response: R, ...codes: ProblemCode[]) => ({
  tags: [tag],
  security: bearer,
  response: { 200: response, ...callerProblems('forbidden', ...codes) },
});

/** Schema of anything that changes: takes Idempotency-Key, answers `status`. */
export const changing = <R extends z.ZodType, S extends 200 | 201 | 202>(
  tag: string,
  status: S,
  response: R,
  ...codes: ProblemCode[]
) => ({
  tags: [tag],
  security: bearer,
  headers: idempotencyHeader,
  response: {
    ...({ [status]: response } as Record<S, R>),
    ...callerProblems('forbidden', 'conflict', 'too_large', 'unsupported_media_type', 'invalid', ...codes),
    ...(codes.includes('precondition_failed') ? problems('precondition_failed') : {}),
  },
});

type Revision = string | number | Date;
/** The tag of a thing's state; weak comparison is enough, whoever edits sends it back as If-Match. */
export const tagOf = (revision: Revision): string => `"${revision instanceof Date ? revision.getTime() : revision}"`;
export const tagged = (reply: FastifyReply, revision: Revision): void => {
  reply.header('etag', tagOf(revision));
};

/** The revision that If-Match names; null when the request sends none or `*`. */
export function ifMatch(request: FastifyRequest): string | null {
  const given = request.headers['if-match'];
  if (given === undefined || given.trim() === '*') return null;
  const tag = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(given)?.[1];
  if (tag === undefined) throw new Problem('malformed', 'If-Match takes one entity tag from an ETag header.');
  return tag;
}
