// The digest is an HMAC of the canonical JSON of every other member, with the raw bytes of the key.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Receipt } from '../../contract/receipt.ts';
import { toCanonicalJson } from './canonical-json.ts';

/** `id` is derived from the key, but is never a plain hash of the key. */
export interface ReceiptKey {
  id: string;
  raw: Buffer;
}

const computeDigest = (members: Record<string, unknown>, key: ReceiptKey): string =>
  createHmac('sha256', key.raw).update(toCanonicalJson(members), 'utf8').digest('hex');

export function signReceipt(unsignedReceipt: Receipt, keys: readonly ReceiptKey[]): Receipt {
  const key = keys[0];
  if (!key) return unsignedReceipt;
  const members = { ...unsignedReceipt, alg: 'HMAC-SHA256' as const, key_id: key.id };
  return { ...members, digest: computeDigest(members, key) };
}

export type SignatureOutcome = 'valid' | 'invalid' | 'unsigned' | 'unkeyed';

export function checkSignature(
  presentedReceipt: Record<string, unknown>,
  keys: readonly ReceiptKey[],
): SignatureOutcome {
  const { digest, ...members } = presentedReceipt;
  if (digest === undefined || digest === null) return 'unsigned';
  if (keys.length === 0) return 'unkeyed';
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest) || members['alg'] !== 'HMAC-SHA256')
    return 'invalid';
  const presentedDigest = Buffer.from(digest, 'hex');
  const matches = keys.map((key) => timingSafeEqual(Buffer.from(computeDigest(members, key), 'hex'), presentedDigest));
  if (matches.includes(true)) return 'valid';
  // svc can't check a signature without the key.
  const { key_id } = members;
  return typeof key_id === 'string' && !keys.some(({ id }) => id === key_id) ? 'unkeyed' : 'invalid';
}
