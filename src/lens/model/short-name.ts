// Shortens generated names to the length that all engines accept.
import { createHash } from 'node:crypto';

const MAX_NAME_BYTES = 63;

/** Shortens a name and appends a digest, so that long names with the same beginning remain different. */
export function shortenName(name: string, maxBytes = MAX_NAME_BYTES): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  let prefix = name;
  while (Buffer.byteLength(prefix) > maxBytes - digest.length - 1) prefix = prefix.slice(0, -1);
  return `${prefix.replace(/[_\uD800-\uDBFF]+$/, '')}_${digest}`;
}
