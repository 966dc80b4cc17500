// State that travels through a browser: encrypted, bound to one purpose, short-lived. Nothing is kept on the server.
import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

export class SealedState {
  readonly #key: Uint8Array;

  /** Without a configured key one is made for this process: what it sealed ends with it. */
  constructor(raw: Buffer | null) {
    this.#key = new Uint8Array(hkdfSync('sha256', raw ?? randomBytes(32), '', 'svc state', 32));
  }

  seal(purpose: string, value: Record<string, unknown>, seconds: number): Promise<string> {
    return new EncryptJWT({ value })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(purpose)
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .encrypt(this.#key);
  }

  /** Null for anything that is not ours, not for this purpose, or too old. */
  async open(purpose: string, sealed: string | undefined): Promise<Record<string, unknown> | null> {
    if (!sealed || sealed.length > 16_384) return null;
    try {
      const { payload } = await jwtDecrypt(sealed, this.#key, {
        audience: purpose,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return payload['value'] as Record<string, unknown>;
    } catch {
      return null;
    }
  }
}
