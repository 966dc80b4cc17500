// Connections from files can be changed only in those files. svc never returns secrets.

import { connectionSchema, ENGINE_KINDS } from '../../contract/files/config-file.ts';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import { findVariables } from '../../lens/files/expand-variables.ts';
import { createUnknownNameMessage, findClosestNames } from '../../platform/closest-names.ts';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import { readForEdit, refuseStale } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import type { Uploads } from '../../platform/uploads.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { CatalogTable, Warehouse, WarehouseDirectory, WarehouseHealth, WarehouseOpener } from '../ports.ts';
import { findSnapshot, type StoredSnapshot, saveSnapshot } from '../profiling/snapshot-repository.ts';
import { createConnectionTestMessage } from '../statement-fault.ts';
import {
  type ConnectionRow,
  deleteConnection as dropRow,
  findConnection,
  insertConnection,
  listConnections as listRows,
  updateConnection,
} from './connection-repository.ts';
import {
  createMovedSecretsMessage,
  HIDDEN_SECRET_TEXT,
  hideSecrets,
  openSecrets,
  restoreHiddenSecrets,
  sealSecrets,
} from './connection-secrets.ts';
import { deleteUnusedUploads } from './uploads.ts';

export interface ConnectionDeps {
  tenancy: Tenancy;
  warehouses: WarehouseDirectory;
  uploads: Uploads;
  project: { opener: WarehouseOpener; secrets: SecretKeys; onApplied?: (orgId: string, connections: string[]) => void };
}

async function requireConnection(db: TenantClient, idOrName: string): Promise<ConnectionRow> {
  const connection = await findConnection(db, idOrName);
  if (connection) return connection;
  const similarNames = findClosestNames(
    idOrName,
    (await listRows(db, { limit: 500, after: null })).map(({ name }) => name),
  );
  const hint =
    similarNames.length > 0
      ? `Did you mean ${similarNames.join(' or ')}?`
      : 'GET /mgmt/connections lists the connections.';
  throw new Problem('not_found', `There is no connection “${idOrName}”. ${hint}`);
}

export const getConnection = (deps: ConnectionDeps, orgId: string, idOrName: string): Promise<ConnectionRow> =>
  deps.tenancy.inTenant(orgId, (db) => requireConnection(db, idOrName));
export const listConnections = (deps: ConnectionDeps, orgId: string, page: RowPage): Promise<ConnectionRow[]> =>
  deps.tenancy.inTenant(orgId, (db) => listRows(db, page));

export async function createConnection(
  deps: ConnectionDeps,
  actor: Actor,
  name: string,
  input: object,
): Promise<ConnectionRow> {
  const config = parseConnectionSettings(deps, input);
  await refuseForbiddenAddress(deps, actor.orgId, name, config);
  return runAudited(deps, actor, async (db) => {
    const sealedConfig = sealSecrets(deps.project.secrets, { orgId: actor.orgId, name }, config);
    if (!(await insertConnection(db, { name, kind: config.kind, config: sealedConfig })))
      throw new Problem(
        'conflict',
        `There is already a connection "${name}". Change that connection, or use another name.`,
        {
          param: 'name',
        },
      );
    const result = await requireConnection(db, name);
    return { result, action: 'connection.create', objectId: result.id, after: hideSecrets(result.config) };
  });
}

/** Null removes a member. Absent members and `(kept)` keep the stored values. */
export async function changeConnection(
  deps: ConnectionDeps,
  actor: Actor,
  idOrName: string,
  change: Record<string, unknown>,
  ifMatch: string | null,
): Promise<ConnectionRow> {
  const previousRow = await getConnection(deps, actor.orgId, idOrName);
  refuseFileConnection(previousRow);
  refuseStale(ifMatch, previousRow.revision);
  // Doesn't decrypt a secret that the request replaces, because its encryption key may no longer exist.
  const isKept = ([member]: [string, unknown]): boolean =>
    !(member in change) || JSON.stringify(change[member] ?? null).includes(HIDDEN_SECRET_TEXT);
  const keptMembers = Object.fromEntries(Object.entries(previousRow.config).filter(isKept));
  const { secrets } = deps.project;
  const owner = { orgId: actor.orgId, name: previousRow.name };
  const decryptedConfig = { ...previousRow.config, ...openSecrets(secrets, owner, keptMembers) };
  const mergedConfig = Object.fromEntries(
    Object.entries({ ...hideSecrets(decryptedConfig), ...change }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );
  const restoredConfig = restoreHiddenSecrets(mergedConfig as ConnectionConfig, decryptedConfig);
  if (restoredConfig.movedPaths.length > 0)
    throw new Problem('invalid', createMovedSecretsMessage(restoredConfig.movedPaths), {
      param: restoredConfig.movedPaths[0],
    });
  const config = parseConnectionSettings(deps, restoredConfig.config);
  await refuseForbiddenAddress(deps, actor.orgId, previousRow.name, config);
  const changedRow = await runAudited(deps, actor, async (db) => {
    await requireConnectionForEdit(db, previousRow.id, String(previousRow.revision));
    const sealedConfig = sealSecrets(secrets, owner, config);
    await updateConnection(db, previousRow.id, { kind: config.kind, config: sealedConfig });
    const result = await requireConnection(db, previousRow.id);
    return {
      result,
      action: 'connection.change',
      objectId: previousRow.id,
      before: hideSecrets(previousRow.config),
      after: hideSecrets(result.config),
    };
  });
  deps.project.onApplied?.(actor.orgId, [previousRow.name]);
  return changedRow;
}

export async function deleteConnection(
  deps: ConnectionDeps,
  actor: Actor,
  idOrName: string,
  ifMatch: string | null,
): Promise<void> {
  const deletedRow = await runAudited(deps, actor, async (db) => {
    const result = await requireConnectionForEdit(db, idOrName, ifMatch);
    refuseFileConnection(result);
    if (result.usedBy.length > 0)
      throw new Problem(
        'conflict',
        `Lenses still use connection "${result.name}": ${result.usedBy.join(', ')}. First remove them, or change their connection.`,
      );
    await dropRow(db, result.id);
    return { result, action: 'connection.delete', objectId: result.id, before: hideSecrets(result.config) };
  });
  await deleteUnusedUploads(deps, actor.orgId, deletedRow.config);
  deps.project.onApplied?.(actor.orgId, [deletedRow.name]);
}

const requireConnectionForEdit = (db: TenantClient, idOrName: string, ifMatch: string | null): Promise<ConnectionRow> =>
  readForEdit(
    db,
    'connection',
    ifMatch,
    () => requireConnection(db, idOrName),
    ({ revision }) => revision,
  );

/** If the connection can't be opened, the result contains the error. */
export async function testConnection(deps: ConnectionDeps, orgId: string, idOrName: string): Promise<WarehouseHealth> {
  const { name } = await getConnection(deps, orgId, idOrName);
  const startedAt = performance.now();
  try {
    return await (await deps.warehouses.get(orgId, name)).test();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ok: false,
      latencyMs: Math.round(performance.now() - startedAt),
      serverVersion: null,
      readOnly: false,
      error: createConnectionTestMessage(error),
    };
  }
}

export async function openConnection(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<{ row: ConnectionRow; warehouse: Warehouse }> {
  const row = await getConnection(deps, orgId, idOrName);
  return { row, warehouse: await deps.warehouses.get(orgId, row.name) };
}

export const toCatalogSubject = (row: ConnectionRow): string => `connection:${row.id}`;

export async function readConnectionCatalog(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<StoredSnapshot<CatalogTable[]>> {
  const row = await getConnection(deps, orgId, idOrName);
  return (
    (await findSnapshot<CatalogTable[]>(deps, orgId, toCatalogSubject(row), 'catalog')) ??
    refreshCatalog(deps, orgId, row.id)
  );
}

export async function refreshCatalog(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
  report: (progress: { done: number; total: number }) => void = () => undefined,
  signal?: AbortSignal,
): Promise<StoredSnapshot<CatalogTable[]>> {
  const { row, warehouse } = await openConnection(deps, orgId, idOrName);
  const tables = await warehouse.catalog({
    onProgress: (done, total) => report({ done, total }),
    ...(signal && { signal }),
  });
  return saveSnapshot(deps, orgId, toCatalogSubject(row), 'catalog', tables);
}

function parseConnectionSettings(deps: ConnectionDeps, input: object): ConnectionConfig {
  const { kind } = input as { kind?: unknown };
  if (typeof kind === 'string' && !kind.startsWith('plugin:') && !ENGINE_KINDS.includes(kind)) {
    const message = createUnknownNameMessage('kind', kind, ENGINE_KINDS);
    throw new Problem('invalid', message, {
      param: 'kind',
      details: [{ path: 'kind', code: 'invalid_value', message }],
    });
  }
  const parsedConfig = connectionSchema.safeParse(input);
  if (!parsedConfig.success) {
    const details = describeFaults(parsedConfig.error, connectionSchema, input);
    throw new Problem('invalid', `The connection is not valid. ${details.map(formatFault).join(' ')}`, {
      details,
    });
  }
  const config = parsedConfig.data;
  const variables = findVariables(JSON.stringify(config));
  if (variables.length > 0)
    throw new Problem(
      'invalid',
      `Variables like \${${variables[0]}} work only in svc.config.yaml. Send the value itself, which svc stores encrypted.`,
    );
  if (deps.project.secrets.keys.length === 0 && JSON.stringify(hideSecrets(config)) !== JSON.stringify(config))
    throw new Problem(
      'invalid',
      'This server can’t store secrets, because SVC_SECRET_KEY is not set. Set it and restart.',
    );
  return config;
}

/** Accepts an unreachable warehouse, because it may become reachable. */
async function refuseForbiddenAddress(
  deps: ConnectionDeps,
  orgId: string,
  name: string,
  config: ConnectionConfig,
): Promise<void> {
  try {
    await deps.project.opener.open({ orgId, name, config, fromOperator: false });
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'invalid') throw error;
    if (error.code === 'not_found') throw new Problem('invalid', error.message);
  }
}

function refuseFileConnection(row: ConnectionRow): void {
  if (row.origin === 'file')
    throw new Problem(
      'conflict',
      `Connection "${row.name}" comes from svc.config.yaml. Change it there and apply the project.`,
    );
}
