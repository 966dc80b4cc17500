// RFC 8785 canonical JSON and the hashes over it (CONTRACT 5).
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not representable as JSON');
  return text;
}

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
