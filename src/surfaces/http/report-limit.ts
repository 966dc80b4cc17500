// Writes the RateLimit header fields. With several limits, the fields report the last one checked, or the one exceeded.
import type { FastifyReply } from 'fastify';
import type { UsedLimit } from '../../platform/problem.ts';

export function reportLimit(
  reply: FastifyReply,
  { policy, limit, windowSeconds }: UsedLimit,
  { remaining, resetSeconds }: { remaining: number; resetSeconds: number },
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}
