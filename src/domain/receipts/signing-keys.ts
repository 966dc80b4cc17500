// Keys that sign receipts: those of SVC_SECRET_KEY, and former ones, which verify until they are revoked.
import { Problem } from '../../platform/problem.ts';
import { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { checkSignature, type ReceiptKey, type SignatureOutcome } from './receipt.ts';

interface StoredKey {
  id: string;
  /** Null after the key was revoked. */
  sealed: string | null;
}
const placeOf = (id: string): string => `signing_keys|${id}`;

export class SigningKeys {
  readonly #tenancy: Tenancy;
  readonly #secrets: SecretKeys;
  constructor(tenancy: Tenancy, secrets: SecretKeys) {
    this.#tenancy = tenancy;
    this.#secrets = secrets;
  }

  async keep(): Promise<void> {
    const [first] = this.#secrets.list;
    if (!first) return;
    const stored = await this.#tenancy.global<StoredKey>('select id, sealed from svc.signing_keys');
    const retired = stored.flatMap((key) => this.#opened(key) ?? []);
    const storedIds = new Set(
      stored.filter(({ sealed }) => SecretKeys.sealedBy(sealed ?? '') === first.id).map(({ id }) => id),
    );
    for (const { id, raw } of [...this.#secrets.list, ...retired]) {
      if (storedIds.has(id)) continue;
      storedIds.add(id);
      await this.#tenancy.global(
        `insert into svc.signing_keys (id, sealed) values ($1, $2)
         on conflict (id) do update set sealed = excluded.sealed where signing_keys.revoked_at is null`,
        [id, this.#secrets.seal(raw.toString('base64'), placeOf(id))],
      );
    }
  }

  async check(presented: Record<string, unknown>): Promise<SignatureOutcome> {
    const outcome = checkSignature(presented, this.#secrets.list);
    const id = presented['key_id'];
    if (outcome !== 'unkeyed' || this.#secrets.list.length === 0 || typeof id !== 'string') return outcome;
    const [stored] = await this.#tenancy.global<StoredKey>('select id, sealed from svc.signing_keys where id = $1', [
      id,
    ]);
    if (stored && stored.sealed === null) return 'invalid';
    const retired = stored && this.#opened(stored);
    return retired ? checkSignature(presented, [retired]) : 'unkeyed';
  }

  /** Invalidates the receipts of this key on every replica. */
  async revoke(id: string): Promise<void> {
    if (this.#secrets.list.some((key) => key.id === id))
      throw new Problem('conflict', `Key ${id} is in SVC_SECRET_KEY. Remove it there, restart, then revoke it.`);
    const revoked = await this.#tenancy.global(
      `update svc.signing_keys set sealed = null, revoked_at = coalesce(revoked_at, now()) where id = $1 returning id`,
      [id],
    );
    if (revoked.length > 0) return;
    const storedKeys = await this.#tenancy.global<StoredKey>(
      'select id from svc.signing_keys where sealed is not null',
    );
    const list = storedKeys.map((key) => key.id).join(', ') || 'none';
    throw new Problem('not_found', `There is no key ${id}. A receipt has its key in key_id. Known keys: ${list}.`);
  }

  #opened({ id, sealed }: StoredKey): ReceiptKey | null {
    try {
      return sealed === null ? null : { id, raw: Buffer.from(this.#secrets.open(sealed, placeOf(id)), 'base64') };
    } catch {
      return null; // the key that encrypted this one no longer exists
    }
  }
}
