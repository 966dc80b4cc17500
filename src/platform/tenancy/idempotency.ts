// For a day, svc repeats its answer if a request arrives again with the same idempotency key, and refuses other
// requests with that key. Answers are stored encrypted, because an answer can contain a token that svc shows only once.
import { Problem } from '../problem.ts';
import type { SecretKeys } from '../secret-keys.ts';
import type { Tenancy } from './tenant.ts';

export interface KeyedReply {
  status: number;
  body: unknown;
  etag?: string | undefined;
}
export interface KeyedRequest {
  orgId: string;
  actor: string;
  key: string;
  /** A hash of the request's method, address and body. */
  fingerprint: string;
}

// A claim that is older than this and has no answer belongs to a crashed process.
const ABANDONED_AFTER_SQL = `interval '2 minutes'`;

export async function runOnceByKey(
  { tenancy, secrets }: { tenancy: Tenancy; secrets: SecretKeys },
  request: KeyedRequest,
  work: () => Promise<KeyedReply>,
): Promise<KeyedReply> {
  const { orgId, actor, key, fingerprint } = request;
  const existingReply = await tenancy.inTenant(orgId, async (db) => {
    await db.run(
      `delete from svc.idempotency_keys where actor = $1 and key = $2
         and (created_at < now() - interval '1 day' or (status is null and created_at < now() - ${ABANDONED_AFTER_SQL}))`,
      [actor, key],
    );
    const claimedCount = await db.run(
      'insert into svc.idempotency_keys (org_id, actor, key, fingerprint) values ($1, $2, $3, $4) on conflict do nothing',
      [orgId, actor, key, fingerprint],
    );
    if (claimedCount === 1) return null;
    const storedReply = await db.first<{ fingerprint: string; status: number | null; response: string | null }>(
      'select fingerprint, status, response from svc.idempotency_keys where actor = $1 and key = $2',
      [actor, key],
    );
    return storedReply ?? { fingerprint, status: null, response: null };
  });
  if (!existingReply) return runAndStore(tenancy, secrets, request, work);
  if (existingReply.fingerprint !== fingerprint) {
    throw new Problem('invalid', 'This Idempotency-Key was used for another request. Use a new key for a new request.');
  }
  if (existingReply.status === null) {
    throw new Problem('conflict', 'The first request with this Idempotency-Key is still running. Retry shortly.', {
      retryAfter: 1,
    });
  }
  if (existingReply.response === null) {
    throw new Problem(
      'conflict',
      'This request was already carried out. Its response was not stored, because SVC_SECRET_KEY is not set.',
    );
  }
  return {
    status: existingReply.status,
    body: JSON.parse(secrets.open(existingReply.response, createSealContext(request))),
    etag: readEtag(existingReply.response),
  };
}

/** Appends the ETag to the sealed body, because SecretKeys ignores anything after the five parts of a sealed text. */
const withEtag = (sealedBody: string, etag: string | undefined): string =>
  etag === undefined ? sealedBody : `${sealedBody}:${Buffer.from(etag).toString('base64url')}`;
function readEtag(response: string): string | undefined {
  const etag = response.split(':')[5];
  return etag === undefined ? undefined : Buffer.from(etag, 'base64url').toString();
}

const createSealContext = ({ orgId, actor, key }: KeyedRequest): string => `${orgId}|idempotency_keys|${actor}|${key}`;

/** A failed request releases its key, so that the caller can use it again. */
async function runAndStore(
  tenancy: Tenancy,
  secrets: SecretKeys,
  request: KeyedRequest,
  work: () => Promise<KeyedReply>,
): Promise<KeyedReply> {
  const { orgId, actor, key } = request;
  try {
    const reply = await work();
    const sealedBody =
      secrets.keys.length > 0 ? secrets.seal(JSON.stringify(reply.body), createSealContext(request)) : null;
    await tenancy.inTenant(orgId, (db) =>
      db.run('update svc.idempotency_keys set status = $3, response = $4 where actor = $1 and key = $2', [
        actor,
        key,
        reply.status,
        sealedBody === null ? null : JSON.stringify(withEtag(sealedBody, reply.etag)),
      ]),
    );
    return reply;
  } catch (error) {
    await tenancy.inTenant(orgId, (db) =>
      db.run('delete from svc.idempotency_keys where actor = $1 and key = $2 and status is null', [actor, key]),
    );
    throw error;
  }
}
