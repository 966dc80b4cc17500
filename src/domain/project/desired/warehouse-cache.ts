// Opens the warehouse of each connection once, when it is first needed.

import { findEngine } from '../../../engines/engines.ts';
import { Problem } from '../../../platform/problem.ts';
import { limitConcurrency, mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { Warehouse } from '../../ports.ts';
import { withAbortSignal } from '../../with-abort-signal.ts';
import type { ProjectDeps, ProjectRequest } from '../project-deps.ts';
import type { DesiredConnection } from '../project-state.ts';

const MAX_SESSIONS_PER_WAREHOUSE = 4;

type WarehouseLookup = (name: string) => Promise<Warehouse>;

export function createWarehouseCache(
  deps: ProjectDeps,
  request: ProjectRequest,
  connections: DesiredConnection[],
): { openWarehouse: WarehouseLookup; close: () => void } {
  const openedByName = new Map<string, Promise<Warehouse>>();
  const openWarehouse: WarehouseLookup = (name) => {
    const existingOpening = openedByName.get(name);
    if (existingOpening) return existingOpening;
    const desiredConnection = connections.find((connection) => connection.name === name)!;
    const pendingWarehouse = deps.opener
      .open({
        orgId: request.orgId,
        name,
        config: desiredConnection.config,
        fromOperator: desiredConnection.fromOperator,
      })
      .then((warehouse) => withSharedCatalog(withAbortSignal(warehouse, request.signal)));
    pendingWarehouse.catch(() => undefined);
    openedByName.set(name, pendingWarehouse);
    return pendingWarehouse;
  };
  return {
    openWarehouse,
    close: () => {
      for (const pendingWarehouse of openedByName.values())
        void pendingWarehouse.then((warehouse) => warehouse.close()).catch(() => undefined);
    },
  };
}

/** Reads the tables once for all lenses. Time spent waiting for a session doesn't count toward the time limit. */
function withSharedCatalog(warehouse: Warehouse): Warehouse {
  let tables: ReturnType<Warehouse['catalog']> | undefined;
  const withLimit = limitConcurrency(MAX_SESSIONS_PER_WAREHOUSE);
  return {
    ...warehouse,
    catalog: () => {
      tables ??= warehouse.catalog();
      return tables;
    },
    fetch: (statement, options) => withLimit(() => warehouse.fetch(statement, options)),
    describe: (statement, options) => withLimit(() => warehouse.describe(statement, options)),
  };
}

export const findExperimentalConnections = (connections: DesiredConnection[]): string[] =>
  connections.flatMap(({ name, config }) => {
    const engine = findEngine(config.kind);
    if (!engine?.experimental) return [];
    const { title, testedWith } = engine;
    return [`Connection "${name}" is experimental: svc was tested with ${testedWith}, not with ${title} itself.`];
  });

/** Returns the optional connections whose files are missing. findConnectionFaults reports other errors. */
export async function findConnectionsWithMissingFiles(
  connections: DesiredConnection[],
  openWarehouse: WarehouseLookup,
): Promise<string[]> {
  const optionalConnections = connections.filter(({ config }) => 'optional' in config && config.optional === true);
  const missingNames = await mapInParallel(optionalConnections, 4, ({ name }) =>
    openWarehouse(name).then(
      () => [],
      (error: unknown) => (error instanceof Problem && error.code === 'not_found' ? [name] : []),
    ),
  );
  return missingNames.flat();
}

/** Opening a connection also checks that its address is allowed. */
export async function findConnectionFaults(
  connections: DesiredConnection[],
  openWarehouse: WarehouseLookup,
): Promise<{ name: string; fault: Problem }[]> {
  const faults = await mapInParallel(connections, 4, async ({ name }) => {
    try {
      await openWarehouse(name);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [{ name, fault: error }];
    }
  });
  return faults.flat();
}
