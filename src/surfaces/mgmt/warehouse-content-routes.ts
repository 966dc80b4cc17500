// What is behind a connection: its tables, their statistics, and what lenses name there that is gone.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/connections.ts';
import { idParams, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import * as connections from '../../domain/connections/connections.ts';
import { profileConnection, readProfile, type TakenProfile } from '../../domain/connections/profile-connection.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import type { CatalogTable } from '../../domain/ports.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const TAG = 'connections';

export function warehouseContentRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/connections/:id/catalog',
    {
      schema: {
        ...reading(TAG, wire.catalog, 'not_found', 'invalid', 'upstream', 'timeout'),
        operationId: 'getCatalog',
        summary: 'Tables of a connection',
        description: 'The catalog as last read, with columns, keys and comments. svc reads it now if it never did.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { name } = await connections.getConnection(deps, principal.orgId, params.id);
      const { body, takenAt } = await connections.connectionCatalog(deps, principal.orgId, params.id);
      return { connection: name, taken_at: takenAt.toISOString(), ...pageOf(body.map(tableView), query) };
    },
  );
  app.post(
    '/connections/:id/catalog/refresh',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'refreshCatalog',
        summary: 'Read the catalog again',
        description: 'Follow the run at GET /mgmt/runs/{run_id}.',
        params: idParams,
      },
    },
    (request, reply) =>
      longWork(request, reply, 'catalog.refresh', async ({ report, signal }) => ({
        tables: (await connections.refreshCatalog(deps, request.principal.orgId, request.params.id, report, signal))
          .body.length,
      })),
  );
  app.get(
    '/connections/:id/profile',
    {
      schema: {
        ...reading(TAG, wire.profile, 'not_found', 'invalid'),
        operationId: 'getConnectionProfile',
        summary: 'Column statistics',
        description:
          'Empty until POST collects them. A viewer sees only counts, because no lens says which columns may be shown.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { row, taken } = await readProfile(deps, principal.orgId, params.id);
      return {
        connection: row.name,
        taken_at: taken?.takenAt.toISOString() ?? null,
        ...pageOf((taken?.body ?? []).map(profileView(taken?.takenAt ?? null, isSuperuser(principal))), query),
      };
    },
  );
  app.post(
    '/connections/:id/profile',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'profileConnection',
        summary: 'Collect column statistics',
        description:
          'Rows, nulls, distinct values, minimum, maximum and frequent values, from a sample. Statistics of other tables stay. Follow the run at GET /mgmt/runs/{run_id}.',
        params: idParams,
        body: wire.profileBody.meta({ examples: [{}, { tables: ['public.orders'] }] }),
      },
    },
    (request, reply) =>
      longWork(request, reply, 'connection.profile', ({ report, signal }) =>
        profileConnection(
          deps,
          request.principal.orgId,
          request.params.id,
          { tables: request.body.tables ?? null, sampleRows: request.body.sample_rows, signal },
          report,
        ),
      ),
  );
  app.get(
    '/connections/:id/drift-audit',
    {
      schema: {
        ...reading(TAG, wire.driftReport, 'not_found', 'invalid'),
        operationId: 'getConnectionDrift',
        summary: 'Drift of the lenses on this connection',
        description: 'Names of lenses that the warehouse no longer has, at the last audit.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { usedBy } = await connections.getConnection(deps, principal.orgId, params.id);
      const { takenAt, findings } = await readDrift(deps, principal.orgId, usedBy);
      return { taken_at: takenAt?.toISOString() ?? null, ...pageOf(findings, query) };
    },
  );
  app.post(
    '/connections/:id/drift-audit',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'auditConnectionDrift',
        summary: 'Compare every lens of this connection with its warehouse',
        description:
          'Checks columns, types, joins, keys, metrics and certified SQL. If the data contradicts a join or a key, svc withdraws its confirmation and edits the lens. Follow the run at GET /mgmt/runs/{run_id}.',
        params: idParams,
      },
    },
    (request, reply) =>
      longWork(request, reply, 'connection.drift', async ({ report, signal }) => {
        const { usedBy } = await connections.getConnection(deps, request.principal.orgId, request.params.id);
        const findings = await auditDrift(deps, actorOf(request), usedBy, report, signal);
        for (const lens of usedBy) await deps.dictionaries.refresh(request.principal.orgId, lens);
        return { findings };
      }),
  );

  async function longWork(
    request: Parameters<typeof runOnce>[1],
    reply: Parameters<typeof runOnce>[2],
    kind: string,
    work: (run: RunContext) => Promise<unknown>,
  ): Promise<{ run_id: string }> {
    const actor = actorOf(request);
    const { name } = await connections.getConnection(deps, actor.orgId, (request.params as { id: string }).id);
    const asked = { kind, about: { kind: 'connection', id: name } };
    return runOnce(deps, request, reply, async () => ({
      status: 202,
      body: { run_id: await deps.runs.start(actor, asked, work) },
    }));
  }
}

const tableView = (table: CatalogTable): z.infer<typeof wire.catalogTable> => ({
  catalog: table.catalog,
  schema: table.schema,
  table: table.table,
  kind: table.kind,
  comment: table.comment,
  row_estimate: table.rowEstimate,
  columns: table.columns.map(({ name, datatype, nativeType, nullable, comment }) => ({
    name,
    datatype,
    native_type: nativeType,
    nullable,
    comment,
  })),
  primary_key: table.primaryKey,
  unique_keys: table.uniqueKeys,
  foreign_keys: table.foreignKeys,
});
/** One stored before tables had times of their own has that of the whole. */
const profileView =
  (whole: Date | null, withValues: boolean) =>
  ({ takenAt, schema = null, ...profile }: TakenProfile): z.infer<typeof wire.columnProfile> => ({
    schema,
    ...profile,
    ...(!withValues && { min: null, max: null, values: null }),
    taken_at: takenAt ?? whole?.toISOString(),
  });
