// The first key of SVC_SECRET_KEY signs and encrypts, and every key verifies and decrypts. Receipts are signed with the
// raw bytes, so that anyone with the key can recompute a signature. Everything else uses keys derived for one purpose.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Problem } from './problem.ts';

export interface SecretKey {
  /** A short id derived from the key. It only determines which key svc tries first. */
  id: string;
  raw: Buffer;
}

const deriveKey = (raw: Buffer, label: string, length = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', raw, '', `svc ${label}`, length));

/** Throws an Error with a next step, which `svc start` prints. An empty string means no keys. */
export function readSecretKeys(text: string): SecretKey[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part, index) => {
    const raw = Buffer.from(part.trim(), 'utf8');
    if (raw.length < 32)
      throw new Error(
        `Key ${index + 1} of SVC_SECRET_KEY has ${raw.length} bytes. Each key needs at least 32 bytes. Create one with: openssl rand -hex 32`,
      );
    return { id: deriveKey(raw, 'key id', 6).toString('hex'), raw };
  });
}

export class SecretKeys {
  readonly keys: readonly SecretKey[];
  constructor(list: readonly SecretKey[]) {
    this.keys = list;
  }

  /** `context` (organization, table, row, column) is authenticated: a value copied elsewhere can't be decrypted. */
  seal(plainText: string, context: string): string {
    const key = this.keys[0];
    if (!key) throw new Error('svc can’t store a secret without SVC_SECRET_KEY. Set it and restart.');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', deriveKey(key.raw, 'aead'), nonce).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return [
      'sealed',
      key.id,
      nonce.toString('base64url'),
      encrypted.toString('base64url'),
      cipher.getAuthTag().toString('base64url'),
    ].join(':');
  }

  /** Throws a Problem if no key decrypts the value: its key is not in the list, or the value was moved or changed. */
  open(sealedText: string, context: string): string {
    const [, id, nonce, body, tag] = sealedText.split(':');
    for (const key of [...this.keys].sort((a, b) => Number(b.id === id) - Number(a.id === id))) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', deriveKey(key.raw, 'aead'), Buffer.from(nonce!, 'base64url'))
          .setAAD(Buffer.from(context))
          .setAuthTag(Buffer.from(tag!, 'base64url'));
        return Buffer.concat([decipher.update(Buffer.from(body!, 'base64url')), decipher.final()]).toString('utf8');
      } catch {
        // Another key may have sealed the text.
      }
    }
    throw new Problem(
      'unreachable',
      "svc can't decrypt a stored secret, because its key is not in SVC_SECRET_KEY. Add that key to the end of SVC_SECRET_KEY and restart svc, or store the secret again.",
    );
  }

  static isSealed(text: string): boolean {
    return /^sealed:[0-9a-f]{12}:/.test(text);
  }

  /** Null if the text isn't sealed. */
  static readKeyId(text: string): string | null {
    return SecretKeys.isSealed(text) ? text.split(':')[1]! : null;
  }
}
