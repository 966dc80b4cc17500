// What the deployment door needs; wired in app.ts.
import type { ConfigFile } from '../../contract/files/config-file.ts';
import type { Report } from '../../lens/compile/checked-warehouse.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { WarehouseOpener } from '../ports.ts';
import type { PreparedProject } from './prepared-project.ts';
import type { Change, ChangeKind, FileEdits } from './project-state.ts';

export interface AnswerChange {
  lens: string;
  kind: Extract<ChangeKind, 'certified' | 'eval'>;
  id: string;
  before: unknown;
  after: unknown;
}
/** Runs the certified entries and evals of touched lenses on both versions; lives above domain, because it asks. */
export type CompareAnswers = (
  orgId: string,
  prepared: PreparedProject,
  budgetMs: number,
  request: Pick<ProjectRequest, 'report' | 'signal'>,
) => Promise<{ answerChanges: AnswerChange[]; warnings: string[] }>;

export interface ProjectDeps {
  tenancy: Tenancy;
  opener: WarehouseOpener;
  secrets: SecretKeys;
  clock: Clock;
  /** Environment variables that the operator's own files may name. */
  operatorVariables: readonly string[];
  /** Those that secrets of an organization's connections may name when they come over HTTP. */
  grantedVariables: (orgId: string) => Promise<readonly string[]>;
  /** The operator's own svc.config.yaml, as parsed at start; null without one. */
  operatorConfig: () => Partial<ConfigFile> | null;
  compareAnswers?: CompareAnswers;
  /** After a commit: caches of this replica (grants, warehouses) must look again. */
  onApplied?: (orgId: string, connections: string[]) => void;
}

export interface ProjectRequest {
  orgId: string;
  files: Record<string, string>;
  actor: string;
  /** From SVC_PROJECT at start: operator-only keys and private addresses are allowed. */
  fromOperator: boolean;
  /** A rollback: what an old file says under operator-only keys is neither refused nor applied. */
  ignoreOperatorKeys?: boolean;
  /** An edit by API: what in these files their author has not sent, and the version that was edited. Without it the
   *  files are the author's, who meets what was edited before. */
  edited?: { edits: FileEdits; after: number | null };
  message?: string | null;
  requestId?: string | null;
  report?: Report | undefined;
  /** Of a plan that no one waits for any more. */
  signal?: AbortSignal | undefined;
}

export interface Applied {
  deploymentId: string;
  version: number;
  changes: Change[];
  appliedAt: Date;
  warnings: string[];
}
