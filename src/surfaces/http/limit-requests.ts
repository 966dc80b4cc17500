// Responses report the limits of the key and the address in RateLimit header fields.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { Problem, type RateLimitUsage } from '../../platform/problem.ts';
import type { RateLimitVerdict } from '../../platform/tenancy/rate-limit.ts';

type LimitDeps = Pick<Deps, 'config' | 'limiter'>;

export const getRequestsPerMinute = (deps: Pick<Deps, 'config'>): number =>
  deps.config.operator.limits?.requests_per_minute ?? 6000;

// Limits per address, as multiples of the limit per key. Many keys can share an address. `public` is for pages without
// a key, and `failed_auth` for invalid bearer tokens.
const ADDRESS_LIMIT_FACTORS = { keys: 10, public: 1, failed_auth: 0.1 };

export async function enforceKeyLimit(
  deps: LimitDeps,
  principal: Principal,
  reply: FastifyReply,
  policy: 'key' | 'protocol' = 'key',
): Promise<void> {
  const limitSubject = principal.credentialId ?? `${principal.orgId}/${principal.callerId ?? principal.name}`;
  const limit = getRequestsPerMinute(deps);
  applyRateLimitVerdict(reply, policy, await deps.limiter.take(`${policy}:${limitSubject}`, limit));
}

/** `failed_auth` counts only invalid tokens, so an attacker who guesses keys can't lock out others at the address. */
export async function enforceAddressLimit(
  deps: LimitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: keyof typeof ADDRESS_LIMIT_FACTORS = 'keys',
): Promise<void> {
  const limit = Math.max(20, Math.ceil(getRequestsPerMinute(deps) * ADDRESS_LIMIT_FACTORS[kind]));
  applyRateLimitVerdict(reply, 'address', await deps.limiter.take(`${kind}:${hashAddress(request.ip)}`, limit));
}

const addressHashCache = new LRUCache<string, string>({ max: 10_000 });

function hashAddress(ip: string): string {
  const cachedBucket = addressHashCache.get(ip);
  if (cachedBucket) return cachedBucket;
  const bucket = createHash('sha256').update(toRateLimitAddress(ip)).digest('base64url').slice(0, 22);
  addressHashCache.set(ip, bucket);
  return bucket;
}

function applyRateLimitVerdict(reply: FastifyReply, policy: string, verdict: RateLimitVerdict): void {
  reportLimit(reply, { policy, limit: verdict.limit, windowSeconds: 60 }, verdict);
  if (verdict.isAllowed) return;
  throw new Problem(
    'rate_limited',
    `Too many requests: the limit is ${verdict.limit} a minute. Retry in ${verdict.resetSeconds} s.`,
    { retryAfter: verdict.resetSeconds },
  );
}

/** If a limit is exceeded, the header fields report it. Otherwise they report the limit that svc checked last. */
export function reportLimit(
  reply: FastifyReply,
  { policy, limit, windowSeconds }: RateLimitUsage,
  { remaining, resetSeconds }: Pick<RateLimitVerdict, 'remaining' | 'resetSeconds'>,
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}
