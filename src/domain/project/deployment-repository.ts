// Reads and writes the deployment history. svc never deletes rows of the history.
import { isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { Change, FileEdits } from './project-state.ts';

export interface Deployment {
  id: string;
  version: number;
  message: string | null;
  actor: string;
  appliedAt: Date;
  rolledBackTo: number | null;
  contentSha256: string;
  changes: Change[];
  files: Record<string, string>;
  /** The API edits that the author's files don't contain, by the path of the file. */
  edits: FileEdits;
}
const COLUMNS = `id, version, message, actor, applied_at as "appliedAt", rolled_back_to as "rolledBackTo", content_sha256 as "contentSha256", changes`;

/** A null id means the last deployment. */
export async function findDeployment(db: TenantClient, id: string | null): Promise<Deployment | null> {
  if (id !== null && !isId(id)) return null;
  return db.first<Deployment>(
    `select ${COLUMNS}, files, edits from svc.deployments where ($1::uuid is null or id = $1) order by version desc limit 1`,
    [id],
  );
}

export const findDeploymentAt = (db: TenantClient, time: Date): Promise<Deployment | null> =>
  db.first<Deployment>(
    `select ${COLUMNS}, files, edits from svc.deployments where applied_at <= $1 order by version desc limit 1`,
    [time],
  );

/** Lists the newest deployments first. */
export const listDeployments = (
  db: TenantClient,
  page: RowPage<number>,
): Promise<Omit<Deployment, 'files' | 'edits'>[]> =>
  db.rows<Omit<Deployment, 'files' | 'edits'>>(
    `select ${COLUMNS} from svc.deployments where ($2::int is null or version < $2) order by version desc limit $1`,
    [page.limit, page.after],
  );

/** Saves the remaining edits if the files that the author applied leave the project unchanged. */
export async function saveEdits(db: TenantClient, id: string, edits: FileEdits): Promise<void> {
  await db.run('update svc.deployments set edits = $2 where id = $1', [id, JSON.stringify(edits)]);
}
