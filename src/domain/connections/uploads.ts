import type { Readable } from 'node:stream';
import type { Clock } from '../../platform/clock.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { findUploadIds, type Uploads } from '../../platform/uploads.ts';
import { type Actor, recordAuditSeparately } from '../audit/audit-log.ts';
import { listConnections } from './connection-repository.ts';

export interface UploadDeps {
  tenancy: Tenancy;
  uploads: Uploads;
}

export async function saveUpload(
  deps: UploadDeps & { clock: Clock },
  actor: Actor,
  name: string,
  body: Readable,
): Promise<{ path: string; bytes: number }> {
  const { orgId } = actor;
  const usedIds = await deps.tenancy.inTenant(orgId, listUsedUploads);
  await deps.uploads.dropUnused(orgId, usedIds, deps.clock.now().getTime());
  const upload = await deps.uploads.add(orgId, name, body);
  await recordAuditSeparately(deps, actor, { action: 'upload.create', objectId: upload.path, after: upload });
  return upload;
}

export async function deleteUnusedUploads(deps: UploadDeps, orgId: string, config: object): Promise<void> {
  const uploadIds = findUploadIds(config);
  if (uploadIds.size === 0) return;
  const usedIds = await deps.tenancy.inTenant(orgId, listUsedUploads);
  await deps.uploads.drop(
    orgId,
    [...uploadIds].filter((id) => !usedIds.has(id)),
  );
}

const listUsedUploads = async (db: TenantClient): Promise<Set<string>> =>
  findUploadIds((await listConnections(db, { limit: 10_000, after: null })).map(({ config }) => config));
