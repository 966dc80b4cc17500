// svc never deletes deployments.
import type { z } from 'zod';
import type { deploymentSchema } from '../../contract/mgmt/project.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { FileEdits } from './project-state.ts';

export interface Deployment extends StoredObject<Omit<z.infer<typeof deploymentSchema>, 'applied_by'>> {
  actor: string;
  contentSha256: string;
  /** The API edits that the author's files don't contain, by the path of the file. */
  edits: FileEdits;
}
export const DEPLOYMENT_SUMMARY_COLUMNS = addCamelCaseAliases(
  'id, version, message, actor, applied_at, rolled_back_to, content_sha256, changes',
);

/** If `until` is set, returns the deployment that was the last one at that time. */
export const findLastDeployment = (db: TenantClient, until: Date | null = null): Promise<Deployment | null> =>
  db.first<Deployment>(
    `select ${DEPLOYMENT_SUMMARY_COLUMNS}, files, edits from svc.deployments
     where ($1::timestamptz is null or applied_at <= $1) order by version desc limit 1`,
    [until],
  );
