// Authorization codes and refresh tokens. Each contains 192 random bits and the id of the organization in which svc
// looks up the code or token. svc stores only the hash of a code or token.
import { createHash, randomBytes } from 'node:crypto';
import { isId } from '../../platform/ids.ts';

export interface OpaqueToken {
  orgId: string;
  hash: Buffer;
}

export function mintOpaqueToken(prefix: string, orgId: string): OpaqueToken & { text: string } {
  const text =
    prefix + Buffer.concat([Buffer.from(orgId.replaceAll('-', ''), 'hex'), randomBytes(24)]).toString('base64url');
  return { text, orgId, hash: hashOf(text) };
}

export function parseOpaqueToken(prefix: string, text: string): OpaqueToken | null {
  if (!text.startsWith(prefix) || text.length > 100) return null;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  if (bytes.length !== 40) return null;
  const orgId = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(orgId) ? { orgId, hash: hashOf(text) } : null;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
