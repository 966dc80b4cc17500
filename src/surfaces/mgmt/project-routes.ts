import type { z } from 'zod';
import * as wire from '../../contract/mgmt/project.ts';
import { createPagedOperation } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { applyProject, planProject } from '../../domain/project/apply-project.ts';
import * as deployments from '../../domain/project/deployments.ts';
import { discardEdits, listProjectEdits } from '../../domain/project/edit-project.ts';
import type { AppliedDeployment } from '../../domain/project/project-deps.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type OperationCall, type ResultOf } from '../http/operation.ts';
import { createTextOrder, versionOrder } from '../http/page.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'project'>;
const defineOperation = createOperationFactory<RouteDeps>('project');
const BODY_LIMIT_BYTES = 64 * 1024 * 1024; // enough for 500 lenses with their certified entries
const EXAMPLE_PROJECT = {
  files: {
    'svc.config.yaml': 'connections: {shop: {kind: duckdb, path: ./shop.duckdb}}\n',
    'lenses/shop/lens.yaml':
      'name: shop\nconnection: shop\ndatasets: {orders: {source: main.orders, fields: {region: {datatype: string}}}}\n',
  },
  message: 'Add the shop',
};
const createProjectRequest = ({ actor: { orgId, name, requestId } }: Pick<OperationCall<RouteDeps>, 'actor'>) => ({
  ...{ orgId, actor: name, requestId, fromOperator: false },
});

const toDeploymentSummaryView = ({
  actor,
  ...row
}: ResultOf<typeof deployments.listDeployments>[number]): z.infer<typeof wire.deploymentSummarySchema> => ({
  ...toWireObject(row),
  applied_by: actor,
});

export const projectRoutes = [
  defineOperation('POST', '/project/plan', {
    id: 'planProject',
    summary: 'Show what these files would change',
    description:
      'Compiles the files, checks them against the warehouses, and runs certified entries and evals of changed lenses on both versions. Changes nothing.',
    bodyLimit: BODY_LIMIT_BYTES,
    body: wire.projectBodySchema.meta({ examples: [EXAMPLE_PROJECT] }),
    result: wire.deploymentPlanSchema,
    respondAsync: 'project.plan',
    readOnly: true,
    run: ({ deps, actor, body, run: { report, signal } }) =>
      planProject(deps.project, { ...createProjectRequest({ actor }), files: body.files, report, signal }),
    view: ({ answerChanges, problems, ...plan }) => ({
      ...{ ...plan, problems, answer_changes: answerChanges },
    }),
  }),
  defineOperation('POST', '/project/apply', {
    id: 'applyProject',
    summary: 'Deploy these files',
    description:
      'Runs in one transaction with a lock for the organization. A second apply at the same time fails with 409. If no file has changed, svc keeps the current version.',
    bodyLimit: BODY_LIMIT_BYTES,
    body: wire.projectBodySchema.meta({ examples: [EXAMPLE_PROJECT] }),
    result: wire.appliedDeploymentSchema,
    respondAsync: 'project.apply',
    refusesFaultyFiles: true,
    run: ({ deps, actor, body, run: { report } }) =>
      applyProject(deps.project, { ...createProjectRequest({ actor }), ...body, report }),
    view: toWireObject<AppliedDeployment>,
  }),
  defineOperation('GET', '/project', {
    id: 'getProject',
    summary: 'Deployed project',
    description: 'Returns the last deployment, and every published lens and connection with its origin.',
    result: wire.projectStateSchema,
    run: ({ deps, orgId }) => deployments.readProjectState(deps, orgId),
    view: ({ state, last }) => ({
      deployment_id: last?.id ?? null,
      version: last?.version ?? null,
      applied_at: last?.appliedAt.toISOString() ?? null,
      applied_by: last?.actor ?? null,
      message: last?.message ?? null,
      files: Object.keys(last?.files ?? {}).sort(),
      lenses: state.lenses
        .filter(({ activeVersion }) => activeVersion !== null)
        .map(({ name, activeVersion, origin }) => ({ name, version: activeVersion, origin })),
      connections: state.connections
        .filter(({ active }) => active)
        .map(({ name, kind, origin }) => ({ name, kind, origin })),
    }),
  }),
  defineOperation('GET', '/project/export', {
    id: 'exportProject',
    summary: 'Export the deployed files',
    description:
      'Returns the exact files, with the lenses created through the API and their connections. If you apply the export, these lenses and connections become file-based. Literal secrets appear as `(kept)`, which an apply leaves unchanged. Applying an export changes no answer.',
    result: wire.exportedProjectSchema,
    run: ({ deps, orgId }) => deployments.exportProject(deps, orgId),
  }),
  defineOperation('GET', '/project/edits', {
    id: 'listProjectEdits',
    summary: 'API edits that are not in your files yet',
    description:
      'Lists each edit with a diff for your files. If you apply files that contain the edit, svc removes it from this list. If your files leave the edited lines unchanged, svc keeps the edit. If your files change those lines in another way, svc rejects the apply and names the edit.',
    ...createPagedOperation(wire.projectEditSchema),
    orderBy: createTextOrder('path'),
    run: ({ deps, orgId, page }) => listProjectEdits(deps, orgId, page),
    view: toWireObject,
  }),
  defineOperation('DELETE', '/project/edits', {
    id: 'dropProjectEdits',
    summary: 'Discard API edits',
    description: 'Restores the text of your own files, for one path or for all paths, as a new deployment.',
    query: wire.dropEditsQuerySchema,
    result: wire.appliedDeploymentSchema,
    fails: ['not_found'],
    refusesFaultyFiles: true,
    run: ({ deps, actor, query }) => discardEdits(deps.project, actor, query.path ?? null),
    view: toWireObject<AppliedDeployment>,
  }),
  defineOperation('GET', '/project/deployments', {
    id: 'listDeployments',
    summary: 'Deployments, newest first',
    description: 'Lists each deployment with its author, message and changes.',
    ...createPagedOperation(wire.deploymentSummarySchema),
    orderBy: versionOrder,
    run: ({ deps, orgId, page }) => deployments.listDeployments(deps, orgId, page),
    view: toDeploymentSummaryView,
  }),
  defineOperation('GET', '/project/deployments/:id', {
    id: 'getDeployment',
    summary: 'One deployment with its files',
    description: 'Returns the applied files. Literal secrets appear as `(kept)`.',
    params: wire.deploymentParamsSchema,
    result: wire.deploymentSchema,
    run: ({ deps, orgId, params }) => deployments.getDeployment(deps, orgId, params.id),
    view: ({ files, ...deployment }) => ({ ...toDeploymentSummaryView(deployment), files }),
  }),
  defineOperation('POST', '/project/deployments/:id/rollback', {
    id: 'rollBackProject',
    summary: 'Roll back to an earlier deployment',
    description:
      'Applies the files of the deployment again as a new version. svc first checks the files against the current warehouses, as for any apply.',
    params: wire.deploymentParamsSchema,
    body: wire.rollbackBodySchema.meta({ examples: [{ message: 'The new revenue was wrong' }] }),
    result: wire.appliedDeploymentSchema,
    refusesFaultyFiles: true,
    run: ({ deps, actor, params, body: { message } }) =>
      deployments.rollBack(deps.project, { ...createProjectRequest({ actor }), deploymentId: params.id, message }),
    view: toWireObject<AppliedDeployment>,
  }),
];
