// Caches the decrypted configuration of a connection for less than a second.
import { LRUCache } from 'lru-cache';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import { Problem } from '../../platform/problem.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import { StaleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { Warehouse, WarehouseDirectory, WarehouseOpener } from '../ports.ts';
import { openSecrets } from './connection-secrets.ts';

const CACHE_MS = 800;

interface StoredConnection {
  config: ConnectionConfig;
  fromOperator: boolean;
}

export class ConnectionDirectory implements WarehouseDirectory {
  readonly #tenancy: Tenancy;
  readonly #secrets: SecretKeys;
  readonly #opener: WarehouseOpener;
  readonly #connections = new StaleWhileRevalidate<string, StoredConnection>({ maxAgeMs: CACHE_MS, max: 1_000 });
  /**
   * Recently deleted connections. If svc opens one of them again after the cleanup, opening can create files, so svc
   * cleans up again.
   */
  readonly #deletedKeys = new LRUCache<string, true>({ max: 1_000 });

  constructor(tenancy: Tenancy, secrets: SecretKeys, opener: WarehouseOpener) {
    this.#tenancy = tenancy;
    this.#secrets = secrets;
    this.#opener = opener;
  }

  async get(orgId: string, connection: string): Promise<Warehouse> {
    const storedConnection = await this.#connections.get(`${orgId}/${connection}`, () => this.#read(orgId, connection));
    const warehouse = await this.#opener.open({ orgId, name: connection, ...storedConnection });
    if (this.#deletedKeys.has(`${orgId}/${connection}`)) await this.#read(orgId, connection);
    return warehouse;
  }

  stuck: WarehouseDirectory['stuck'] = (connectionKey) => this.#opener.stuckCount?.(connectionKey) ?? 0;

  forgetAll(): void {
    this.#connections.forgetAll();
  }

  async forgetDeleted(orgId: string, names: readonly string[]): Promise<void> {
    for (const name of names) await this.#read(orgId, name).catch(() => undefined);
  }

  async #read(orgId: string, name: string): Promise<StoredConnection> {
    const row = await this.#tenancy.inTenant(orgId, (db) =>
      db.first<{ config: Record<string, unknown>; from_operator: boolean }>(
        'select config, from_operator from svc.connections where name = $1 and active',
        [name],
      ),
    );
    if (row) this.#deletedKeys.delete(`${orgId}/${name}`);
    else {
      this.#deletedKeys.set(`${orgId}/${name}`, true);
      await this.#opener.forget?.(orgId, name);
      throw new Problem('not_found', `There is no connection “${name}”.`, { param: 'connection' });
    }
    return { config: openSecrets(this.#secrets, { orgId, name }, row.config), fromOperator: row.from_operator };
  }
}
