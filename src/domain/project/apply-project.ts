// Apply makes all changes in one transaction. The transaction takes a lock first, so that svc refuses a second apply
// immediately. It stays open while svc checks the lenses, and writes only after all checks pass.

import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { limitConcurrency } from '../../platform/schedule/in-parallel.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { findCallerWarnings } from '../identity/grant-subjects.ts';
import { listChanges } from './list-changes.ts';
import { mergeEdits, moveProblemsToAuthoredLines } from './merge-edits.ts';
import { prepareProject } from './prepare-project.ts';
import type {
  AnswerChange,
  AppliedDeployment,
  PreparedProject,
  ProjectDeps,
  ProjectRequest,
  UnchangedProject,
} from './project-deps.ts';
import type { DeployedState, FileEdits, ProjectChange } from './project-state.ts';
import { readDeployedState, readLiveLenses, tryLockProject } from './project-state-repository.ts';
import { writeProject } from './write-project-repository.ts';

export interface ProjectPlan {
  changes: ProjectChange[];
  problems: ProjectProblem[];
  warnings: string[];
  answerChanges: AnswerChange[];
}
const COMPARISON_BUDGET_MS = 20_000;
const MAX_REPORTED_PROBLEMS = 500; // the rest appears after the author has fixed the listed problems
const KEEP_ALIVE_INTERVAL_MS = 2_000; // far below idle_in_transaction_session_timeout
// Each apply holds a database connection during its checks, and asks need the other connections.
const MAX_CONCURRENT_APPLIES = 3;

/** If there are problems, removals are omitted, because a faulty file may contain an object that seems removed. */
export async function planProject(deps: ProjectDeps, request: ProjectRequest): Promise<ProjectPlan> {
  const state = await deps.tenancy.inTenant(request.orgId, readDeployedState);
  const { project } = await prepareMergedProject(deps, request, state);
  if (project.desiredState === null)
    return { changes: listUnchangedObjects(state), problems: [], warnings: project.warnings, answerChanges: [] };
  const { changes, problems, warnings } = await deps.tenancy.inTenant(request.orgId, (db) =>
    findChanges(db, state, project),
  );
  if (problems.length > 0)
    return { changes: changes.filter(({ action }) => action !== 'delete'), problems, warnings, answerChanges: [] };
  const answers = await deps.compareAnswers?.(request.orgId, project, COMPARISON_BUDGET_MS, request);
  const answerChanges = answers?.answerChanges ?? [];
  return { changes, problems, warnings: [...warnings, ...(answers?.warnings ?? [])], answerChanges };
}

/** Throws `conflict` while another apply for the organization is running, and ProjectRefusal if there are problems. */
export async function applyProject(
  deps: ProjectDeps,
  request: ProjectRequest & { rolledBackTo?: number | null },
): Promise<AppliedDeployment> {
  const { message = null, requestId = null, rolledBackTo = null } = request;
  const applyResult = await limitApplies(request.orgId, () =>
    deps.tenancy.inTenant(request.orgId, async (db) => {
      if (!(await tryLockProject(db))) throw createConcurrentApplyProblem();
      const state = await readDeployedState(db);
      requireUnchanged(state, request);
      const { project, edits } = await keepTransactionAlive(db, () => prepareMergedProject(deps, request, state));
      if (project.desiredState === null) {
        const { id: deploymentId, version, appliedAt, edited } = state.deployment!;
        // Even if the project is unchanged, the author's files can now contain some of the API edits.
        if (edited)
          await db.run('update svc.deployments set edits = $2 where id = $1', [deploymentId, JSON.stringify(edits)]);
        return { deploymentId, version, appliedAt, changes: listUnchangedObjects(state), warnings: project.warnings };
      }
      const { changes, problems, warnings } = await findChanges(db, state, project);
      if (problems.length > 0) throw new ProjectRefusal(problems, warnings);
      const writtenDeployment = await writeProject(db, {
        ...{ state, project, changes, edits, message, rolledBackTo },
        ...{ actor: request.actor, secrets: deps.secrets },
      });
      const changeCount = changes.filter(({ action }) => action !== 'none').length;
      await recordAudit(
        db,
        { name: request.actor, requestId },
        {
          ...{ action: 'project.apply', objectKind: 'deployment', objectId: writtenDeployment.deploymentId },
          before: { version: state.deployment?.version ?? null },
          after: { version: writtenDeployment.version, message, changes: changeCount },
        },
      );
      return { ...writtenDeployment, changes, warnings };
    }),
  );
  const changedConnections = applyResult.changes.filter(
    ({ kind, action }) => kind === 'connection' && action !== 'none',
  );
  deps.onApplied?.(
    request.orgId,
    changedConnections.map(({ name }) => name),
  );
  return applyResult;
}

/**
 * Prepares the edited files if the request is an API edit. Otherwise, prepares the author's files merged with earlier API
 * edits.
 */
async function prepareMergedProject(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
): Promise<{ project: PreparedProject | UnchangedProject; edits: FileEdits }> {
  const { orgId, edited, files: authorFiles } = request;
  if (edited) return { project: await prepareProject(deps, request, state, []), edits: edited.edits };
  const mergedProject = await mergeEdits(orgId, state.deployment?.edited ?? null, authorFiles);
  const { files, edits } = mergedProject;
  const project = await prepareProject(deps, { ...request, files }, state, mergedProject.problems);
  project.warnings.unshift(...mergedProject.warnings);
  if (project.desiredState !== null)
    project.problems = await moveProblemsToAuthoredLines(orgId, project.problems, mergedProject, authorFiles);
  return { project, edits };
}

function requireUnchanged({ deployment }: DeployedState, { edited }: ProjectRequest): void {
  if (edited?.baseVersion != null && deployment?.version !== edited.baseVersion)
    throw new Problem(
      'conflict',
      'The project was just changed by someone else. Read it again, then repeat your edit.',
    );
}

/** The status of the response is 422, and nothing changes. */
export class ProjectRefusal extends Problem {
  readonly problems: ProjectProblem[];
  readonly warnings: string[];
  constructor(problems: ProjectProblem[], warnings: string[], refusal = 'The project was not applied') {
    const firstProblem = problems[0]!;
    const moreText = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    const details = problems.slice(0, 200).map(({ path, line, column, pointer, code, message }) => ({
      ...{ path: `files["${path}"]`, file: path },
      ...{ line, column, pointer, code, message },
    }));
    const { path, line, column, message } = firstProblem;
    super('invalid', `${refusal}: ${path}:${line}:${column}: ${message}${moreText}`, { details });
    this.problems = problems;
    this.warnings = warnings;
  }
}

const createConcurrentApplyProblem = () =>
  new Problem('conflict', 'Another apply is running in this organization. Wait until it ends, then apply again.', {
    retryAfter: 1,
  });

async function findChanges(
  db: TenantClient,
  state: DeployedState,
  { desiredState, changedLensNames, problems, warnings }: PreparedProject,
): Promise<Pick<ProjectPlan, 'changes' | 'problems' | 'warnings'>> {
  const warningProblems = problems.filter(({ severity }) => severity === 'warning').slice(0, MAX_REPORTED_PROBLEMS);
  return {
    changes: listChanges(state, desiredState, await readLiveLenses(db, [...changedLensNames])),
    problems: problems.filter(({ severity }) => severity === 'error').slice(0, MAX_REPORTED_PROBLEMS),
    warnings: [
      ...warningProblems.map(({ path, line, message }) => `${path}:${line}: ${message}`),
      ...warnings,
      ...(await findCallerWarnings(db, desiredState.grants)),
    ],
  };
}

const listUnchangedObjects = (state: DeployedState): ProjectChange[] => [
  ...state.connections
    .filter(({ active, origin }) => active && origin === 'file')
    .map(({ name, kind }) => createNoOpChange('connection', name, 'svc.config.yaml', `kind ${kind}`)),
  ...state.lenses
    .filter(({ activeVersion, origin }) => activeVersion !== null && origin === 'file')
    .map(({ name, activeVersion }) =>
      createNoOpChange('lens', name, `lenses/${name}/lens.yaml`, `version ${activeVersion}`),
    ),
];
const createNoOpChange = (kind: ProjectChange['kind'], name: string, path: string, summary: string): ProjectChange => ({
  kind,
  name,
  action: 'none',
  path,
  summary,
});

/** Checks can take longer than the idle limit of a transaction. */
async function keepTransactionAlive<T>(db: TenantClient, work: () => Promise<T>): Promise<T> {
  let connectionError: unknown = null;
  let lastHeartbeat: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    lastHeartbeat = db.run('select 1').catch((error: unknown) => {
      connectionError ??= error;
    });
  }, KEEP_ALIVE_INTERVAL_MS);
  try {
    const result = await work();
    await lastHeartbeat;
    if (connectionError) throw connectionError;
    return result;
  } finally {
    clearInterval(timer);
    await lastHeartbeat;
  }
}

const runningOrgIds = new Set<string>();
const limitConcurrentApplies = limitConcurrency(MAX_CONCURRENT_APPLIES);
/** The database lock prevents a second apply for an organization on other replicas. */
async function limitApplies<T>(orgId: string, work: () => Promise<T>): Promise<T> {
  if (runningOrgIds.has(orgId)) throw createConcurrentApplyProblem();
  runningOrgIds.add(orgId);
  try {
    return await limitConcurrentApplies(work);
  } finally {
    runningOrgIds.delete(orgId);
  }
}
