import { stringify } from 'yaml';
import { isId } from '../../platform/ids.ts';
import { requireFound } from '../../platform/problem.ts';
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { listConnections } from '../connections/connection-repository.ts';
import { hideSecrets } from '../connections/connection-secrets.ts';
import { applyProject } from './apply-project.ts';
import { DEPLOYMENT_SUMMARY_COLUMNS, type Deployment, findLastDeployment } from './deployment-repository.ts';
import { editFile } from './files/read-files.ts';
import type { AppliedDeployment, ProjectDeps, ProjectRequest } from './project-deps.ts';
import type { StoredCorpusEntry } from './project-state.ts';
import {
  readCorpusCreatedThroughApi,
  readDeployedState,
  readLensesCreatedThroughApi,
} from './project-state-repository.ts';

/** One snapshot contains both the state and the last deployment. */
export const readProjectState = withOwnTransaction(async (db) => ({
  state: await readDeployedState(db),
  last: await findLastDeployment(db),
}));

/** The export shows secrets as `(kept)`. Applying it makes lenses created through the API file-based. */
export async function exportProject(
  deps: { tenancy: Tenancy },
  orgId: string,
): Promise<{ version: number | null; files: Record<string, string> }> {
  const { last, apiLenses, corpus, connections } = await deps.tenancy.inTenant(orgId, async (db) => ({
    last: await findLastDeployment(db),
    apiLenses: await readLensesCreatedThroughApi(db),
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
    files[CONFIG_PATH] = (await editFile(orgId, files[CONFIG_PATH] ?? '', { set: yamlSets })) ?? '';
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
const CONFIG_PATH = 'svc.config.yaml';

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

export const listDeployments = withOwnTransaction((db, page: RowPage<number>) =>
  db.rows<Omit<Deployment, 'files' | 'edits'>>(
    `select ${DEPLOYMENT_SUMMARY_COLUMNS} from svc.deployments
     where ($2::int is null or version < $2) order by version desc limit $1`,
    [page.limit, page.after],
  ),
);

export const getDeployment = withOwnTransaction(async (db, id: string): Promise<Deployment> => {
  const sql = `select ${DEPLOYMENT_SUMMARY_COLUMNS}, files, edits from svc.deployments where id = $1`;
  return requireFound(
    isId(id) ? await db.first<Deployment>(sql, [id]) : null,
    'There is no deployment with this id. GET /mgmt/project/deployments lists the deployments.',
  );
});

/** Applies the files of an earlier deployment with the same checks, as a new version. */
export async function rollBack(
  deps: ProjectDeps,
  {
    deploymentId,
    ...request
  }: Pick<ProjectRequest, 'orgId' | 'actor' | 'message' | 'requestId'> & { deploymentId: string },
): Promise<AppliedDeployment> {
  const target = await getDeployment(deps, request.orgId, deploymentId);
  return applyProject(deps, {
    ...{ ...request, files: target.files },
    message: request.message ?? `Roll back to version ${target.version}`,
    // An operator key in the old files must not prevent the rollback.
    ...{ fromOperator: false, ignoreOperatorKeys: true, rolledBackTo: target.version },
    // Restores the API edits that were in effect in that deployment, and discards later edits.
    edited: { edits: target.edits, baseVersion: null },
  });
}
