// Opens the warehouse of each connection in a project once, when it is first needed.

import { engineOf } from '../../../engines/engines.ts';
import { Problem } from '../../../platform/problem.ts';
import { inParallel, limitConcurrency } from '../../../platform/schedule/in-parallel.ts';
import { abortable } from '../../abortable.ts';
import type { Warehouse } from '../../ports.ts';
import type { ProjectDeps, ProjectRequest } from '../project-deps.ts';
import type { WantedConnection } from '../project-state.ts';

const MAX_SESSIONS = 4; // sessions of a warehouse for one plan

type OpenWarehouse = (name: string) => Promise<Warehouse>;

export function openWanted(
  deps: ProjectDeps,
  request: ProjectRequest,
  connections: WantedConnection[],
): { open: OpenWarehouse; close: () => void } {
  const opened = new Map<string, Promise<Warehouse>>();
  const open: OpenWarehouse = (name) => {
    const existingOpening = opened.get(name);
    if (existingOpening) return existingOpening;
    const wantedConnection = connections.find((connection) => connection.name === name)!;
    const opening = deps.opener
      .open({
        orgId: request.orgId,
        name,
        config: wantedConnection.config,
        fromOperator: wantedConnection.fromOperator,
      })
      .then((warehouse) => sharedByLenses(abortable(warehouse, request.signal)));
    opening.catch(() => undefined);
    opened.set(name, opening);
    return opening;
  };
  return {
    open,
    close: () => {
      for (const opening of opened.values()) void opening.then((warehouse) => warehouse.close()).catch(() => undefined);
    },
  };
}

/** Reads the tables once for all lenses. Time spent waiting for a session doesn't count toward the time limit. */
function sharedByLenses(warehouse: Warehouse): Warehouse {
  let tables: ReturnType<Warehouse['catalog']> | undefined;
  const withLimit = limitConcurrency(MAX_SESSIONS);
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

export const experimentalEngines = (connections: WantedConnection[]): string[] =>
  connections.flatMap(({ name, config }) => {
    const engine = engineOf(config.kind);
    if (!engine?.experimental) return [];
    const { title, testedWith } = engine;
    return [`Connection "${name}" is experimental: svc was tested with ${testedWith}, not with ${title} itself.`];
  });

/** Optional connections whose files are missing. */
export async function absentConnections(connections: WantedConnection[], open: OpenWarehouse): Promise<string[]> {
  const absent: string[] = [];
  for (const { name, config } of connections) {
    if (!('optional' in config) || config.optional !== true) continue;
    await open(name).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') absent.push(name);
    });
  }
  return absent;
}

/** Opens new and changed connections once, and rejects the control database and forbidden addresses. */
export async function connectionFaults(
  connections: WantedConnection[],
  absent: string[],
  open: OpenWarehouse,
): Promise<{ name: string; fault: Problem }[]> {
  const tried = connections.filter(({ name, changed }) => changed && !absent.includes(name));
  const faults = await inParallel(tried, 4, async ({ name }) => {
    try {
      await open(name);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [{ name, fault: error }];
    }
  });
  return faults.flat();
}
