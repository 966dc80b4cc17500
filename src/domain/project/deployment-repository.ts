// svc never deletes deployments.
import { writeCamelCaseColumns } from '../../platform/tenancy/columns.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { FileEdits, ProjectChange } from './project-state.ts';

export interface Deployment {
  id: string;
  version: number;
  message: string | null;
  actor: string;
  appliedAt: Date;
  rolledBackTo: number | null;
  contentSha256: string;
  changes: ProjectChange[];
  files: Record<string, string>;
  /** The API edits that the author's files don't contain, by the path of the file. */
  edits: FileEdits;
}
export const DEPLOYMENT_SUMMARY_COLUMNS = writeCamelCaseColumns(
  'id, version, message, actor, applied_at, rolled_back_to, content_sha256, changes',
);

/** If `until` is set, returns the deployment that was the last one at that time. */
export const findLastDeployment = (db: TenantClient, until: Date | null = null): Promise<Deployment | null> =>
  db.first<Deployment>(
    `select ${DEPLOYMENT_SUMMARY_COLUMNS}, files, edits from svc.deployments
     where ($1::timestamptz is null or applied_at <= $1) order by version desc limit 1`,
    [until],
  );
