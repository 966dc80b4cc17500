// Former keys of SVC_SECRET_KEY verify receipts until they are revoked.
import { Problem } from '../../platform/problem.ts';
import { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { checkSignature, type ReceiptKey, type SignatureOutcome } from './receipt.ts';

interface StoredKey {
  id: string;
  /** Null after the key was revoked. */
  sealed: string | null;
}
const createSealContext = (id: string): string => `signing_keys|${id}`;

export class SigningKeys {
  readonly #tenancy: Tenancy;
  readonly #secrets: SecretKeys;
  constructor(tenancy: Tenancy, secrets: SecretKeys) {
    this.#tenancy = tenancy;
    this.#secrets = secrets;
  }

  async storeCurrentKey(): Promise<void> {
    const [currentKey] = this.#secrets.keys;
    if (!currentKey) return;
    const storedKeys = await this.#tenancy.queryGlobal<StoredKey>('select id, sealed from svc.signing_keys');
    const retiredKeys = storedKeys.flatMap((key) => this.#openKey(key) ?? []);
    const storedIds = new Set(
      storedKeys.filter(({ sealed }) => SecretKeys.readKeyId(sealed ?? '') === currentKey.id).map(({ id }) => id),
    );
    for (const { id, raw } of [...this.#secrets.keys, ...retiredKeys]) {
      if (storedIds.has(id)) continue;
      storedIds.add(id);
      await this.#tenancy.queryGlobal(
        `insert into svc.signing_keys (id, sealed) values ($1, $2)
         on conflict (id) do update set sealed = excluded.sealed where signing_keys.revoked_at is null`,
        [id, this.#secrets.seal(raw.toString('base64'), createSealContext(id))],
      );
    }
  }

  async checkReceipt(presentedReceipt: Record<string, unknown>): Promise<SignatureOutcome> {
    const outcome = checkSignature(presentedReceipt, this.#secrets.keys);
    const id = presentedReceipt['key_id'];
    if (outcome !== 'unkeyed' || this.#secrets.keys.length === 0 || typeof id !== 'string') return outcome;
    const [storedKey] = await this.#tenancy.queryGlobal<StoredKey>(
      'select id, sealed from svc.signing_keys where id = $1',
      [id],
    );
    if (storedKey && storedKey.sealed === null) return 'invalid';
    const retiredKey = storedKey && this.#openKey(storedKey);
    return retiredKey ? checkSignature(presentedReceipt, [retiredKey]) : 'unkeyed';
  }

  /** Invalidates the receipts of this key on every replica. */
  async revoke(id: string): Promise<void> {
    if (this.#secrets.keys.some((key) => key.id === id))
      throw new Problem('conflict', `Key ${id} is in SVC_SECRET_KEY. Remove it there, restart, then revoke it.`);
    const revokedRows = await this.#tenancy.queryGlobal(
      `update svc.signing_keys set sealed = null, revoked_at = coalesce(revoked_at, now()) where id = $1 returning id`,
      [id],
    );
    if (revokedRows.length > 0) return;
    const storedKeys = await this.#tenancy.queryGlobal<StoredKey>(
      'select id from svc.signing_keys where sealed is not null',
    );
    const knownIds = storedKeys.map((key) => key.id).join(', ') || 'none';
    throw new Problem(
      'not_found',
      `There is no key ${id}. The key_id of a receipt names its key. Known keys: ${knownIds}.`,
    );
  }

  #openKey({ id, sealed }: StoredKey): ReceiptKey | null {
    try {
      return sealed === null
        ? null
        : { id, raw: Buffer.from(this.#secrets.open(sealed, createSealContext(id)), 'base64') };
    } catch {
      return null; // the key that encrypted this signing key no longer exists
    }
  }
}
