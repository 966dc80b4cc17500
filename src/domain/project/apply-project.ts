// Deploys a project. Plan shows the changes, and apply makes them in one transaction. At its start, the transaction
// takes a lock, so that svc rejects a second apply immediately. The transaction stays open while svc compiles and
// checks the lenses, and writes only after all checks pass. The transaction ends if its database connection is lost.

import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { limitConcurrency } from '../../platform/schedule/in-parallel.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { recordAudit } from '../audit/audited.ts';
import { sealSecrets } from '../connections/connection-secrets.ts';
import { findCallerWarnings } from '../identity/grant-subjects.ts';
import { saveEdits } from './deployment-repository.ts';
import { readFiles } from './files/read-files.ts';
import { listChanges } from './list-changes.ts';
import { type MergedProject, mergeEdits, moveToAuthoredLines } from './merge-edits.ts';
import { prepareProject } from './prepare-project.ts';
import type { PreparedProject } from './prepared-project.ts';
import type { AnswerChange, AppliedDeployment, ProjectDeps, ProjectRequest } from './project-deps.ts';
import type { Change, DeployedState } from './project-state.ts';
import { readDeployedState, readServedLenses, tryLockProject } from './project-state-repository.ts';
import { writeProject } from './write-project-repository.ts';

export interface ProjectPlan {
  changes: Change[];
  problems: ProjectProblem[];
  warnings: string[];
  answerChanges: AnswerChange[];
}
const ANSWER_BUDGET_MS = 20_000;
const MAX_PROBLEMS = 500; // problems in one response; further problems appear after these are fixed
const KEEP_ALIVE_MS = 2_000; // far below idle_in_transaction_session_timeout
const MAX_APPLIES = 3; // each apply holds a database connection during its checks; the other connections are for asks

/**
 * Lists the changes without making them. If there are problems, the list omits removals, because an object that seems
 * to be removed may be in a faulty file.
 */
export async function planProject(deps: ProjectDeps, request: ProjectRequest): Promise<ProjectPlan> {
  const state = await deps.tenancy.inTenant(request.orgId, readDeployedState);
  const { preparedProject } = await prepareMergedProject(deps, request, state);
  if (preparedProject.identical)
    return { changes: listUnchanged(state), problems: [], warnings: preparedProject.warnings, answerChanges: [] };
  const { problems, warnings } = splitBySeverity(preparedProject);
  const changes = await deps.tenancy.inTenant(request.orgId, async (db) => {
    warnings.push(...(await findCallerWarnings(db, preparedProject.wantedState.grants)));
    return findChanges(db, state, preparedProject);
  });
  if (problems.length > 0)
    return { changes: changes.filter(({ action }) => action !== 'delete'), problems, warnings, answerChanges: [] };
  const answers = (await deps.compareAnswers?.(request.orgId, preparedProject, ANSWER_BUDGET_MS, request)) ?? {
    answerChanges: [],
    warnings: [],
  };
  return { changes, problems, warnings: [...warnings, ...answers.warnings], answerChanges: answers.answerChanges };
}

/** Throws `conflict` while another apply for the organization is running, and ProjectRefusal if there are problems. */
export async function applyProject(
  deps: ProjectDeps,
  request: ProjectRequest & { rolledBackTo?: number | null },
): Promise<AppliedDeployment> {
  const applyResult = await limitApplies(request.orgId, () =>
    deps.tenancy.inTenant(request.orgId, async (db) => {
      if (!(await tryLockProject(db))) throw concurrentApplyProblem();
      const state = await readDeployedState(db);
      requireUnchanged(state, request);
      const { preparedProject, edits } = await keepAlive(db, () => prepareMergedProject(deps, request, state));
      if (preparedProject.identical) {
        if (state.deployment!.edited) await saveEdits(db, state.deployment!.id, edits);
        return toUnchangedDeployment(state, preparedProject);
      }
      const { problems, warnings } = splitBySeverity(preparedProject);
      warnings.push(...(await findCallerWarnings(db, preparedProject.wantedState.grants)));
      if (problems.length > 0) throw new ProjectRefusal(problems, warnings);
      const changes = await findChanges(db, state, preparedProject);
      const sealConfig = (name: string, config: object) =>
        sealSecrets(deps.secrets, { orgId: request.orgId, name }, config as never);
      const writtenDeployment = await writeProject(db, {
        ...{
          state,
          wantedState: preparedProject.wantedState,
          dictionaries: preparedProject.dictionaries,
          changes,
          sealConfig,
        },
        ...{
          edits,
          actor: request.actor,
          message: request.message ?? null,
          rolledBackTo: request.rolledBackTo ?? null,
        },
      });
      const actor = { name: request.actor, requestId: request.requestId ?? null };
      await recordAudit(db, actor, {
        action: 'project.apply',
        objectKind: 'deployment',
        objectId: writtenDeployment.deploymentId,
        before: { version: state.deployment?.version ?? null },
        after: {
          version: writtenDeployment.version,
          message: request.message ?? null,
          changes: changes.filter(({ action }) => action !== 'none').length,
        },
      });
      return { ...writtenDeployment, changes, warnings };
    }),
  );
  deps.onApplied?.(
    request.orgId,
    applyResult.changes
      .filter(({ kind, action }) => kind === 'connection' && action !== 'none')
      .map(({ name }) => name),
  );
  return applyResult;
}

/** The files to deploy: the author's files merged with API edits, or, for an API edit, the edited files as they are. */
async function prepareMergedProject(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
): Promise<{ preparedProject: PreparedProject; edits: MergedProject['edits'] }> {
  if (request.edited)
    return { preparedProject: await prepareProject(deps, request, state), edits: request.edited.edits };
  const mergedProject = await mergeEdits(request.orgId, state.deployment?.edited ?? null, request.files);
  const { files, edits, problems, warnings } = mergedProject;
  const preparedProject = await prepareProject(deps, { ...request, files }, state);
  const hasMergedFault = preparedProject.problems.some(({ path }) => Object.hasOwn(edits, path));
  const authorProblems = hasMergedFault ? (await readFiles(request.orgId, request.files)).problems : [];
  const isUnchanged = preparedProject.identical && problems.length === 0;
  const movedProblems = await moveToAuthoredLines(
    request.orgId,
    preparedProject.problems,
    mergedProject,
    request.files,
    authorProblems,
  );
  return {
    preparedProject: {
      ...preparedProject,
      identical: isUnchanged,
      problems: [...problems, ...movedProblems],
      warnings: [...warnings, ...preparedProject.warnings],
    },
    edits,
  };
}

function requireUnchanged({ deployment }: DeployedState, { edited }: ProjectRequest): void {
  if (edited?.baseVersion != null && deployment?.version !== edited.baseVersion)
    throw new Problem(
      'conflict',
      'The project was just changed by someone else. Read it again, then repeat your edit.',
    );
}

/** Refuses a project or draft that has problems. svc responds with status 422 and changes nothing. */
export class ProjectRefusal extends Problem {
  readonly problems: ProjectProblem[];
  readonly warnings: string[];
  constructor(problems: ProjectProblem[], warnings: string[], refusal = 'The project was not applied') {
    const firstProblem = problems[0]!;
    const moreText = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(
      'invalid',
      `${refusal}: ${firstProblem.path}:${firstProblem.line}:${firstProblem.column}: ${firstProblem.message}${moreText}`,
      {
        details: problems.slice(0, 200).map(({ path, line, column, pointer, code, message }) => ({
          path: `files["${path}"]`,
          file: path,
          line,
          column,
          pointer,
          code,
          message,
        })),
      },
    );
    this.problems = problems;
    this.warnings = warnings;
  }
}

const concurrentApplyProblem = () =>
  new Problem('conflict', 'Another apply is running in this organization. Wait until it ends, then apply again.', {
    retryAfter: 1,
  });

function splitBySeverity({ problems, warnings }: PreparedProject): { problems: ProjectProblem[]; warnings: string[] } {
  const warningProblems = problems.filter(({ severity }) => severity === 'warning');
  return {
    problems: problems.filter(({ severity }) => severity === 'error').slice(0, MAX_PROBLEMS),
    warnings: [
      ...warningProblems.slice(0, MAX_PROBLEMS).map(({ path, line, message }) => `${path}:${line}: ${message}`),
      ...warnings,
    ],
  };
}

async function findChanges(
  db: TenantClient,
  state: DeployedState,
  { wantedState: wanted, touched }: PreparedProject,
): Promise<Change[]> {
  return listChanges(state, wanted, await readServedLenses(db, [...touched]));
}

const listUnchanged = (state: DeployedState): Change[] => [
  ...state.connections
    .filter(({ active, origin }) => active && origin === 'file')
    .map(({ name, kind }) => createNoOpChange('connection', name, 'svc.config.yaml', `kind ${kind}`)),
  ...state.lenses
    .filter(({ activeVersion, origin }) => activeVersion !== null && origin === 'file')
    .map(({ name, activeVersion }) =>
      createNoOpChange('lens', name, `lenses/${name}/lens.yaml`, `version ${activeVersion}`),
    ),
];
const createNoOpChange = (kind: Change['kind'], name: string, path: string, summary: string): Change => ({
  kind,
  name,
  action: 'none',
  path,
  summary,
});

const toUnchangedDeployment = (state: DeployedState, { warnings }: PreparedProject): AppliedDeployment => {
  const { id, version, appliedAt } = state.deployment!;
  return { deploymentId: id, version, appliedAt, changes: listUnchanged(state), warnings };
};

/** Keeps the transaction alive, because checks can take longer than the idle limit. */
async function keepAlive<T>(db: TenantClient, work: () => Promise<T>): Promise<T> {
  let connectionError: unknown = null;
  let lastHeartbeat: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    lastHeartbeat = db.run('select 1').catch((error: unknown) => {
      connectionError ??= error;
    });
  }, KEEP_ALIVE_MS);
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
const limitConcurrentApplies = limitConcurrency(MAX_APPLIES);
/**
 * On this replica, allows one apply at a time for each organization, and a few in total. The database lock prevents a
 * second apply for an organization on other replicas.
 */
async function limitApplies<T>(orgId: string, work: () => Promise<T>): Promise<T> {
  if (runningOrgIds.has(orgId)) throw concurrentApplyProblem();
  runningOrgIds.add(orgId);
  try {
    return await limitConcurrentApplies(work);
  } finally {
    runningOrgIds.delete(orgId);
  }
}
