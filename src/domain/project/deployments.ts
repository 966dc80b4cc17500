// The deployment history: lists deployments, exports the deployed project, and rolls back to an earlier deployment.
import { stringify } from 'yaml';
import { Problem } from '../../platform/problem.ts';
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { listConnections } from '../connections/connection-repository.ts';
import { hideSecrets } from '../connections/connection-secrets.ts';
import { applyProject } from './apply-project.ts';
import { type Deployment, findDeployment, listDeployments as listRows } from './deployment-repository.ts';
import { editFile } from './files/read-files.ts';
import type { AppliedDeployment, ProjectDeps } from './project-deps.ts';
import type { DeployedState, StoredCorpusEntry } from './project-state.ts';
import {
  readCorpusCreatedThroughApi,
  readDeployedState,
  readLensesCreatedThroughApi,
} from './project-state-repository.ts';

/** Reads the deployed state and the last deployment in one snapshot. */
export const readProjectState = (
  deps: Pick<ProjectDeps, 'tenancy'>,
  orgId: string,
): Promise<{ state: DeployedState; last: Deployment | null }> =>
  deps.tenancy.inTenant(orgId, async (db) => ({
    state: await readDeployedState(db),
    last: await findDeployment(db, null),
  }));

/**
 * Exports the exact files of the last apply, with secrets as `(kept)`, and the lenses created through the API with
 * their certified entries, evals and connections. Applying the export makes these lenses file-based.
 */
export async function exportProject(
  deps: Pick<ProjectDeps, 'tenancy'>,
  orgId: string,
): Promise<{ version: number | null; files: Record<string, string> }> {
  const {
    last,
    made: apiLenses,
    corpus,
    connections,
  } = await deps.tenancy.inTenant(orgId, async (db) => ({
    last: await findDeployment(db, null),
    made: await readLensesCreatedThroughApi(db),
    corpus: await readCorpusCreatedThroughApi(db),
    connections: await listConnections(db, { limit: 10_000, after: null }),
  }));
  const files = { ...last?.files };
  const apiConnections = connections.filter(
    ({ name, origin }) => origin === 'api' && apiLenses.some((apiLens) => apiLens.connection === name),
  );
  if (apiConnections.length > 0) {
    const yamlSets = apiConnections.map(({ name, config }) => ({
      at: ['connections', name],
      value: hideSecrets(config),
    }));
    files[CONFIG] = (await editFile(orgId, files[CONFIG] ?? '', { set: yamlSets })) ?? '';
  }
  for (const { name, text } of apiLenses) {
    files[`lenses/${name}/lens.yaml`] = text;
    for (const folder of ['certified', 'evals'] as const) {
      const lensEntries = corpus[folder].filter(({ lens }) => lens === name);
      if (lensEntries.length > 0)
        files[`lenses/${name}/${folder}/made-by-api.yaml`] = await writeCorpusText(lensEntries);
    }
  }
  return { version: last?.version ?? null, files };
}
const CONFIG = 'svc.config.yaml';

/** Writes the entries as a YAML list, without members that are null. */
async function writeCorpusText(entries: readonly StoredCorpusEntry[]): Promise<string> {
  let text = '';
  for (const { id, status, body } of entries) {
    const isNotNull = ([, value]: [string, unknown]): boolean => value !== null;
    const entry = { id, ...Object.fromEntries(Object.entries(body).filter(isNotNull)) };
    text += stringify([status === 'active' ? entry : { ...entry, status }]);
    await waitForTurn();
  }
  return text;
}

export function listDeployments(
  deps: Pick<ProjectDeps, 'tenancy'>,
  orgId: string,
  page: RowPage<number>,
): Promise<Omit<Deployment, 'files' | 'edits'>[]> {
  return deps.tenancy.inTenant(orgId, (db) => listRows(db, page));
}

export async function getDeployment(
  deps: Pick<ProjectDeps, 'tenancy'>,
  orgId: string,
  id: string,
): Promise<Deployment> {
  const deployment = await deps.tenancy.inTenant(orgId, (db) => findDeployment(db, id));
  if (!deployment)
    throw new Problem('not_found', 'There is no deployment with this id. GET /mgmt/project/deployments lists them.');
  return deployment;
}

/** Applies the files of an earlier deployment with the same checks, as a new version. */
export async function rollBack(
  deps: ProjectDeps,
  request: { orgId: string; deploymentId: string; actor: string; message?: string | null; requestId?: string | null },
): Promise<AppliedDeployment> {
  const target = await getDeployment(deps, request.orgId, request.deploymentId);
  return applyProject(deps, {
    ...{ orgId: request.orgId, files: target.files, actor: request.actor, requestId: request.requestId ?? null },
    message: request.message ?? `Roll back to version ${target.version}`,
    // Ignores the operator keys in the old files instead of rejecting the files.
    ...{ fromOperator: false, ignoreOperatorKeys: true, rolledBackTo: target.version },
    // Restores the API edits that were in effect in that deployment, and discards later edits.
    edited: { edits: target.edits, baseVersion: null },
  });
}
