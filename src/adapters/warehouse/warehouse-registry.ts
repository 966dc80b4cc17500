// Opens and closes warehouses. Each warehouse has its own queue, so a slow warehouse doesn't delay others.
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import { loadDialect } from '../../dialects/dialects.ts';
import { type AddressRule, resolveAllowedAddress } from '../../domain/connections/resolve-allowed-address.ts';
import type { Warehouse, WarehouseOpener } from '../../domain/ports.ts';
import { toCanonicalJson } from '../../domain/receipts/canonical-json.ts';
import type { BuildLimits, Engine, FileRoots, OpenContext } from '../../engines/engine.ts';
import { ENGINES } from '../../engines/engines.ts';
import { DEFAULT_CONCURRENCY } from '../../engines/limits.ts';
import { isLoopbackHost } from '../../platform/http/loopback.ts';
import { Problem } from '../../platform/problem.ts';
import { runOffMainThread, waitForExternalSystem } from '../../platform/schedule/scheduler.ts';
import { WorkLimiter } from '../../platform/schedule/work-limiter.ts';
import { findServer, parseConnectionConfig } from './connection-config.ts';

type WarehouseRequest = Parameters<WarehouseOpener['open']>[0];

export interface WarehouseRegistryOptions extends FileRoots {
  /** Replaces each ${NAME} in a configuration with the value of a variable that the configuration may read. */
  expand(
    request: Pick<WarehouseRequest, 'orgId' | 'config' | 'fromOperator'>,
  ): ConnectionConfig | Promise<ConnectionConfig>;
  /** Names, IP addresses and CIDR ranges in SVC_ALLOWED_ADDRESSES. */
  allowedAddresses: string[];
  /** The control database, which no connection can use. */
  controlDatabase: AddressRule['controlDatabase'];
  /** svc's own engines come before the engines of plugins. */
  pluginEngines?: readonly Engine[];
  concurrency?: number;
  /** The number of processes that share `concurrency`. */
  processes?: number;
  waitMs?: number;
  idleMs?: number;
  buildLimits?: BuildLimits;
}

interface RegisteredWarehouse {
  /** The organization and connection: `orgId/name`. */
  owner: string;
  engine: Engine;
  revision: string;
  checkedAt: number;
  usedAt: number;
  userCount: number;
  isRetired: boolean;
  isForgotten: boolean;
  queuedWarehouse: Warehouse;
  openedWarehouse: Promise<Warehouse> | undefined;
  activeWarehouse: Warehouse | undefined;
  open(): Promise<Warehouse>;
}

const REVISION_RECHECK_MS = 2_000;

export class WarehouseRegistry implements WarehouseOpener {
  readonly #options: WarehouseRegistryOptions;
  readonly #engines: readonly Engine[];
  readonly #entries = new Map<string, RegisteredWarehouse>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: WarehouseRegistryOptions) {
    this.#options = options;
    this.#engines = [...ENGINES, ...(options.pluginEngines ?? [])];
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(60_000, this.#idleMs)).unref();
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? 600_000;
  }

  async open({ orgId, name, config, fromOperator }: WarehouseRequest): Promise<Warehouse> {
    const owner = `${orgId}/${name}`;
    // The key doesn't depend on the order of the configuration's members, because a stored configuration loses this
    // order.
    const key = toCanonicalJson([owner, config, fromOperator]);
    const existingEntry = this.#entries.get(key);
    const now = performance.now();
    if (existingEntry && now - existingEntry.checkedAt < REVISION_RECHECK_MS) return existingEntry.queuedWarehouse;
    const connection = parseConnectionConfig(name, await this.#options.expand({ orgId, config, fromOperator }));
    const engine = this.#engines.find(({ kind }) => kind === connection.kind);
    if (!engine)
      throw new Problem(
        'invalid',
        `No plugin provides connections of kind "${connection.kind}". Install the plugin and list it under plugins in svc.config.yaml.`,
      );
    await loadDialect(engine.dialect);
    const { projectFolder, home, buildLimits, allowedAddresses: allowed, controlDatabase } = this.#options;
    const context: OpenContext = { projectFolder, home, buildLimits, owner, fromOperator };
    const revision = (await engine.revision?.(connection, context)) ?? '';
    const currentEntry = this.#entries.get(key);
    if (currentEntry?.revision === revision) {
      await currentEntry.open();
      currentEntry.checkedAt = performance.now();
      return currentEntry.queuedWarehouse;
    }
    if (currentEntry) this.#retire(currentEntry);
    const server = findServer(connection);
    const wait =
      engine.onOurProcessors || (server && isLoopbackHost(server.host)) ? runOffMainThread : waitForExternalSystem;
    const entry = this.#makeEntry(owner, revision, { engine, wait }, async () => {
      if (!server) return engine.open(connection, context);
      const address = await resolveAllowedAddress(server, { allowed, fromOperator, controlDatabase });
      return engine.open(connection, { ...context, address });
    });
    this.#entries.set(key, entry);
    entry.checkedAt = -Infinity; // until the warehouse is open, later requests wait for this attempt
    await entry.open().catch((error: unknown) => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    });
    entry.checkedAt = performance.now();
    return entry.queuedWarehouse;
  }

  async forget(orgId: string, name: string): Promise<void> {
    const owner = `${orgId}/${name}`;
    for (const [key, entry] of this.#entries) {
      if (entry.owner !== owner) continue;
      entry.isForgotten = true;
      this.#entries.delete(key);
      this.#retire(entry);
    }
    for (const engine of this.#engines) await engine.forget?.(owner, this.#options);
  }

  stuckCount(connection?: { orgId: string; name: string }): number {
    let count = 0;
    for (const { owner, activeWarehouse } of this.#entries.values())
      if (!connection || owner === `${connection.orgId}/${connection.name}`) count += activeWarehouse?.stuck?.() ?? 0;
    return count;
  }

  /** Includes only the kinds of open connections. */
  listExperimentalKinds(): string[] {
    const kinds = [...this.#entries.values()]
      .filter(({ engine }) => engine.experimental)
      .map(({ engine }) => engine.kind);
    return [...new Set(kinds)].sort();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.allSettled(entries.map(async (entry) => (await entry.openedWarehouse)?.close()));
  }

  #makeEntry(
    owner: string,
    revision: string,
    { engine, wait: schedule }: { engine: Engine; wait: typeof waitForExternalSystem },
    open: () => Promise<Warehouse>,
  ): RegisteredWarehouse {
    const atOnce = this.#options.concurrency ?? engine.atOnce ?? DEFAULT_CONCURRENCY;
    const concurrency = Math.max(1, Math.floor(atOnce / (this.#options.processes ?? 1)));
    // A single caller can use at most three quarters of the slots.
    const perCaller = Math.max(1, Math.floor((concurrency * 3) / 4));
    const slots = new WorkLimiter({ perCaller, overall: concurrency, waitMs: this.#options.waitMs ?? 10_000 });
    const useWarehouse = async <T>(work: (warehouse: Warehouse) => Promise<T>, caller = ''): Promise<T> => {
      let hasEntered = false;
      entry.userCount++;
      try {
        return await schedule(() =>
          slots.run({ tenant: '', caller }, async () => {
            hasEntered = true;
            const warehouse = await entry.open();
            return await work(warehouse);
          }),
        );
      } catch (error) {
        if (!hasEntered) throw toBusyProblem(error);
        // The host name may now resolve to another address, so svc resolves and checks the name again for the next
        // statement.
        if (error instanceof Problem && error.code === 'unreachable') this.#reopenLater(entry);
        throw error;
      } finally {
        entry.userCount--;
        entry.usedAt = performance.now();
        if (entry.isRetired) this.#retire(entry);
      }
    };
    const queuedWarehouse = createLazyWarehouse(useWarehouse, engine.dialect);
    const now = performance.now();
    const entry: RegisteredWarehouse = {
      owner,
      engine,
      revision,
      checkedAt: now,
      usedAt: now,
      userCount: 0,
      isRetired: false,
      isForgotten: false,
      openedWarehouse: undefined,
      activeWarehouse: undefined,
      open() {
        // A statement that is still running could otherwise build the file of a deleted connection again.
        if (entry.isForgotten) return Promise.reject(new Problem('not_found', 'This connection was just deleted.'));
        entry.openedWarehouse ??= open();
        const openedWarehouse = entry.openedWarehouse;
        openedWarehouse.then(
          (warehouse) => {
            entry.activeWarehouse = warehouse;
          },
          () => {
            if (entry.openedWarehouse === openedWarehouse) entry.openedWarehouse = undefined; // so that the next statement opens the warehouse again
          },
        );
        return openedWarehouse;
      },
      queuedWarehouse,
    };
    return entry;
  }

  #reopenLater(entry: RegisteredWarehouse): void {
    for (const [key, candidate] of this.#entries) if (candidate === entry) this.#entries.delete(key);
    entry.isRetired = true;
  }

  #retire(entry: RegisteredWarehouse): void {
    entry.isRetired = true;
    if (entry.userCount > 0) return;
    const openedWarehouse = entry.openedWarehouse;
    entry.openedWarehouse = undefined;
    void openedWarehouse?.then((warehouse) => warehouse.close()).catch(() => undefined);
  }

  #sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.userCount > 0 || performance.now() - entry.usedAt < this.#idleMs) continue;
      this.#entries.delete(key);
      this.#retire(entry);
    }
  }
}

/** Creates a warehouse that opens on its first use. Its dialect is available earlier. */
function createLazyWarehouse(
  withWarehouse: <T>(work: (warehouse: Warehouse) => Promise<T>, caller?: string) => Promise<T>,
  dialect: Warehouse['dialect'],
): Warehouse {
  return {
    dialect,
    fetch: (statement, fetchOptions) =>
      withWarehouse((warehouse) => warehouse.fetch(statement, fetchOptions), fetchOptions.caller),
    describe: (...callArguments) => withWarehouse((warehouse) => warehouse.describe(...callArguments)),
    estimate: (...callArguments) => withWarehouse((warehouse) => warehouse.estimate(...callArguments)),
    catalog: (...callArguments) => withWarehouse((warehouse) => warehouse.catalog(...callArguments)),
    profile: (...callArguments) => withWarehouse((warehouse) => warehouse.profile(...callArguments)),
    test: () => withWarehouse((warehouse) => warehouse.test()),
    close: async () => undefined, // the registry opens and closes the warehouse
  };
}

function toBusyProblem(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  return new Problem('rate_limited', 'The warehouse is busy with other statements. Try again shortly.', {
    retryAfter: 2,
  });
}
