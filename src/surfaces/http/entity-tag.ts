// Entity tags for optimistic concurrency. An editor returns the ETag from its last read in If-Match.
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/problem.ts';
import type { Revision } from './operation.ts';

/** Weak comparison is enough, because editors return the tag unchanged. */
export const entityTagOf = (revision: Revision): string =>
  `"${revision instanceof Date ? revision.getTime() : revision}"`;

/** The revision in If-Match. Null if the request has no If-Match header or its value is `*`. */
export function readIfMatch(request: FastifyRequest): string | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const tag = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(header)?.[1];
  if (tag === undefined) throw new Problem('malformed', 'If-Match takes one entity tag from an ETag header.');
  return tag;
}
