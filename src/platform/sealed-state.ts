// A browser keeps this state encrypted for one purpose and a short time, so the server stores nothing.
import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from './clock.ts';

export class SealedState {
  readonly #keys: [Uint8Array, ...Uint8Array[]];
  readonly #clock: Clock;

  /** The first key encrypts, and every key decrypts. Without keys, svc uses a random key for this process. */
  constructor(rawKeys: readonly Buffer[], clock: Clock) {
    const deriveKey = (raw: Buffer) => new Uint8Array(hkdfSync('sha256', raw, '', 'svc state', 32));
    this.#keys = [deriveKey(rawKeys[0] ?? randomBytes(32)), ...rawKeys.slice(1).map(deriveKey)];
    this.#clock = clock;
  }

  seal(purpose: string, value: Record<string, unknown>, seconds: number): Promise<string> {
    return new EncryptJWT({ value })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(purpose)
      .setExpirationTime(Math.floor(this.#clock.now().getTime() / 1000) + seconds)
      .encrypt(this.#keys[0]);
  }

  /** Returns null if svc didn't seal the text, if it is for another purpose, or if it has expired. */
  async open(purpose: string, sealedText: string | undefined): Promise<Record<string, unknown> | null> {
    if (!sealedText || sealedText.length > 16_384) return null;
    for (const key of this.#keys) {
      try {
        const { payload } = await jwtDecrypt(sealedText, key, {
          audience: purpose,
          currentDate: this.#clock.now(),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return payload['value'] as Record<string, unknown>;
      } catch {
        // Another key may have sealed the text.
      }
    }
    return null;
  }
}
