// Bearer tokens: prefix, 8-character id, 32-character secret (190 bits), 6-character checksum, all base62. The checksum
// rejects typos and other services' secrets without a lookup.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const TOKEN_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const TOKEN_PREFIXES = ['svc_', 'svcadm_', 'svco_', 'svcsess_'] as const;
export type TokenPrefix = (typeof TOKEN_PREFIXES)[number];

/** For secret scanners. docs/configuration.md publishes this pattern. */
export const TOKEN_PATTERN = /\b(svc_|svcadm_|svco_|svcsess_)([0-9A-Za-z]{8})([0-9A-Za-z]{32})([0-9A-Za-z]{6})\b/;
const WHOLE_TOKEN_PATTERN = new RegExp(`^${TOKEN_PATTERN.source.replaceAll('\\b', '')}$`);

export interface MintedToken {
  token: string;
  /** SHA-256 of the whole token, the only form that svc stores. With 190 bits of entropy, a slow hash isn't needed. */
  hash: Buffer;
  /** The prefix and the id, which lists can show. */
  prefix: string;
  lastFour: string;
}

export function mintToken(prefix: TokenPrefix): MintedToken {
  const body = prefix + generateRandomText(8) + generateRandomText(32);
  const token = body + computeChecksum(body);
  return { token, hash: hashToken(token), prefix: token.slice(0, prefix.length + 8), lastFour: token.slice(-4) };
}

/** Null if the text isn't a well-formed svc token. */
export function parseToken(text: string): { prefix: TokenPrefix; hash: Buffer } | null {
  const match = WHOLE_TOKEN_PATTERN.exec(text);
  if (!match || computeChecksum(text.slice(0, -6)) !== match[4]) return null;
  return { prefix: match[1] as TokenPrefix, hash: hashToken(text) };
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

const generateRandomText = (length: number): string =>
  Array.from({ length }, () => TOKEN_ALPHABET[randomInt(62)]).join('');

function computeChecksum(body: string): string {
  let remainder = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = TOKEN_ALPHABET[remainder % 62] + text;
    remainder = Math.floor(remainder / 62);
  }
  return text;
}
