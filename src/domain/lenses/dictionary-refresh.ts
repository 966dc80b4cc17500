// Dictionaries are refreshed when they exceed their maximum age, when an ask finds them outdated, and after an audit or
// profile. No transaction is open while svc reads the warehouse.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { upsertRows } from '../../platform/tenancy/insert-rows.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { type ReadDictionary, readDictionaries, toDictionaryRows } from '../project/read-dictionaries.ts';
import type { LensRepository, LiveLens } from './lens-repository.ts';

const MIN_REFRESH_INTERVAL_MS = 10_000; // between two refreshes that asks trigger

interface RefreshDeps {
  tenancy: Tenancy;
  lenses: Pick<LensRepository, 'find'>;
  warehouses: WarehouseDirectory;
  clock: Clock;
  maxAgeMs: number;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}
type RefreshRequest = Pick<LiveLens, 'name' | 'valuesReadAt'> & { orgId: string };

export class DictionaryRefresh {
  readonly #deps: RefreshDeps;
  readonly #refreshes = new Map<string, Promise<void>>();
  readonly #readAt = new LRUCache<string, number>({ max: 10_000 });

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  refreshIfExpired({ orgId, name, valuesReadAt }: RefreshRequest): void {
    if (valuesReadAt === null) return;
    const lastReadMs = Math.max(valuesReadAt.getTime(), this.#readAt.get(createLensKey(orgId, name)) ?? 0);
    if (this.#deps.clock.now().getTime() - lastReadMs > this.#deps.maxAgeMs) this.#refreshInBackground(orgId, name);
  }

  refreshUnlessRecent({ orgId, name }: RefreshRequest): void {
    const lastReadMs = this.#readAt.get(createLensKey(orgId, name)) ?? 0;
    if (this.#deps.clock.now().getTime() - lastReadMs > Math.min(MIN_REFRESH_INTERVAL_MS, this.#deps.maxAgeMs))
      this.#refreshInBackground(orgId, name);
  }

  /** If a refresh of the lens is already running, waits for that refresh instead of starting another. */
  refresh(orgId: string, name: string): Promise<void> {
    const key = createLensKey(orgId, name);
    const runningRefresh =
      this.#refreshes.get(key) ??
      this.#read(orgId, name).finally(() => {
        this.#refreshes.delete(key);
        this.#readAt.set(key, this.#deps.clock.now().getTime());
      });
    this.#refreshes.set(key, runningRefresh);
    return runningRefresh;
  }

  /** Resolves when the running refreshes have ended, with or without success. */
  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.#refreshes.values());
  }

  #refreshInBackground(orgId: string, name: string): void {
    this.refresh(orgId, name).catch((err: unknown) =>
      this.#deps.log.warn({ err, lens: name }, 'the dictionaries of a lens could not be refreshed'),
    );
  }

  async #read(orgId: string, name: string): Promise<void> {
    const liveLens = await this.#deps.lenses.find(orgId, name);
    if (!liveLens) throw new Problem('not_found', `There is no lens “${name}”.`, { param: 'lens' });
    const warehouse = await this.#deps.warehouses.get(orgId, liveLens.lens.connection);
    const { dictionaries } = await readDictionaries(liveLens.lens, warehouse, { concurrency: 1 });
    if (dictionaries.length > 0) await this.#write(orgId, liveLens, dictionaries);
  }

  /** Skips a lens that is being replaced, because the new version has its own dictionaries. */
  #write(orgId: string, { lensId, version }: LiveLens, dictionaries: ReadDictionary[]): Promise<void> {
    return this.#deps.tenancy.inTenant(orgId, async (db) => {
      const rows = await db.rows(
        'select id from svc.lenses where id = $1 and active_version = $2 for update skip locked',
        [lensId, version],
      );
      if (rows.length === 0) return;
      const key = ['lens_id', 'dataset', 'field'];
      const values = toDictionaryRows(lensId, dictionaries);
      await upsertRows(db, 'value_dictionaries', key, values, ', refreshed_at = clock_timestamp()');
    });
  }
}

const createLensKey = (orgId: string, name: string): string => `${orgId}/${name}`;
