import type { z } from 'zod';
import type { ConfigFile } from '../../contract/files/config-file.ts';
import type { deploymentPlanSchema } from '../../contract/mgmt/project.ts';
import type { ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { WarehouseOpener } from '../ports.ts';
import type { DesiredState, FileEdits, ProjectChange } from './project-state.ts';
import type { ReadDictionary } from './read-dictionaries.ts';

/** A project that svc has read, compared with the deployed state, and checked. */
export interface PreparedProject {
  desiredState: DesiredState;
  dictionaries: Map<string, ReadDictionary[]>;
  /** The names of lenses whose content or connection differs from the deployed version. */
  changedLensNames: Set<string>;
  problems: ProjectProblem[];
  warnings: string[];
}
/** The files, connections and secrets are the same as deployed, so svc has nothing to check or write. */
export interface UnchangedProject {
  desiredState: null;
  warnings: string[];
}

export type AnswerChange = z.infer<typeof deploymentPlanSchema>['answer_changes'][number];
/** The implementation is outside the domain, because comparing the answers of two lens versions runs asks. */
export type AnswerComparer = (
  orgId: string,
  preparedProject: PreparedProject,
  budgetMs: number,
  request: Pick<ProjectRequest, 'report' | 'signal'>,
) => Promise<{ answerChanges: AnswerChange[]; warnings: string[] }>;

export interface ProjectDeps {
  tenancy: Tenancy;
  opener: WarehouseOpener;
  secrets: SecretKeys;
  clock: Clock;
  operatorVariables: readonly string[];
  /** Variables that secrets in an organization's connections can use over HTTP. */
  readGrantedVariables: (orgId: string) => Promise<readonly string[]>;
  /** svc parsed this file when it started. Null if the operator has no such file. */
  getOperatorConfig: () => Partial<ConfigFile> | null;
  compareAnswers?: AnswerComparer;
  /** Called after the commit, to clear caches of this replica (grants, warehouses). */
  onApplied?: (orgId: string, connections: string[]) => void;
}

export interface ProjectRequest {
  orgId: string;
  files: Record<string, string>;
  actor: string;
  /** The files come from SVC_PROJECT at start, so operator-only keys and private addresses are allowed. */
  fromOperator: boolean;
  /** Set for a rollback, because the old files may have operator-only keys. */
  ignoreOperatorKeys?: boolean;
  /** Set for an edit through the API: the edits that the author's files don't contain, and the edited version. */
  edited?: { edits: FileEdits; baseVersion: number | null };
  message?: string | null;
  requestId?: string | null;
  report?: ProgressReporter | undefined;
  /** Aborts a plan whose client disconnected. */
  signal?: AbortSignal | undefined;
}

export interface AppliedDeployment {
  deploymentId: string;
  version: number;
  changes: ProjectChange[];
  appliedAt: Date;
  warnings: string[];
}
