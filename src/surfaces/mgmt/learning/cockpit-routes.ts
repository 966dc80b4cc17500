// The cockpit of whoever runs the installation: standards, activation, and what callers see.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/cockpit.ts';
import type { Deps } from '../../../deps.ts';
import { readActivation } from '../../../domain/cockpit/activation.ts';
import { checkAllStandards } from '../../../domain/cockpit/check-all-standards.ts';
import { findSetting, putSetting, settingRevision } from '../../../domain/cockpit/settings-repository.ts';
import { readSurface, seenBy } from '../../../domain/cockpit/surface.ts';
import type { Standards } from '../../../domain/project/check-standards.ts';
import { pageOf } from '../../http/page.ts';
import { runOnce } from '../../http/run-once.ts';
import { agentLine, connectSnippets, KEY_PLACEHOLDER } from '../../pages/connect-snippets.ts';
import { skillPage } from '../../pages/skill.ts';
import { actorOf, changing, ifMatch, reading, tagged } from '../route-parts.ts';

export function cockpitRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'cockpit';
  const standardsOf = async (orgId: string) => {
    const found = await deps.tenancy.inTenant(orgId, (db) => findSetting<Standards>(db, 'standards'));
    return { ...wire.standards.parse(found?.body ?? {}), origin: found?.origin ?? ('default' as const) };
  };
  const tagSetting = async (reply: FastifyReply, orgId: string, name: 'standards' | 'instance') =>
    tagged(reply, settingRevision(await deps.tenancy.inTenant(orgId, (db) => findSetting(db, name))));
  const surfaceOf = async (orgId: string) => {
    const base = deps.baseUrl();
    const skill = deps.config.publicBaseUrl !== null || deps.config.demoOrg !== null ? `${base}/SKILL.md` : null;
    const found = await readSurface(deps, orgId, deps.config.operator.instance ?? null);
    return { ...found, base_url: base, doors: { v1: `${base}/v1`, mcp: `${base}/mcp`, docs: `${base}/docs`, skill } };
  };

  app.get(
    '/standards',
    {
      schema: {
        ...reading(tag, wire.standardsState),
        operationId: 'getStandards',
        summary: 'The standards for lenses',
        description: 'From svc.config.yaml or set here; otherwise the defaults.',
      },
    },
    async ({ principal }, reply) => {
      await tagSetting(reply, principal.orgId, 'standards');
      return standardsOf(principal.orgId);
    },
  );

  app.put(
    '/standards',
    {
      schema: {
        ...changing(tag, 200, wire.standardsState, 'precondition_failed'),
        operationId: 'putStandards',
        summary: 'Set the standards for lenses',
        description: 'Returns 409 while svc.config.yaml sets them. They apply from the next plan, draft and check on.',
        body: wire.standards.meta({
          examples: [{ metric_description: 'error', dataset_description: 'warn', certified_minimum: 5 }],
        }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await putSetting(deps, actorOf(request), 'standards', request.body, ifMatch(request));
        await tagSetting(reply, request.principal.orgId, 'standards');
        return { status: 200, body: await standardsOf(request.principal.orgId) };
      }),
  );

  app.get(
    '/standards/check',
    {
      schema: {
        ...reading(tag, wire.standardsCheck, 'invalid'),
        operationId: 'checkStandards',
        summary: 'Check every published lens against the standards',
        description: 'Findings name file, line and column.',
        querystring: pageQuery,
      },
    },
    async ({ principal, query }) => {
      const { origin: _origin, ...standards } = await standardsOf(principal.orgId);
      const found = await checkAllStandards(deps, principal.orgId, standards);
      const ok = found.items.every(({ severity }) => severity !== 'error');
      return { ok, lenses: found.lenses, ...pageOf(found.items, query) };
    },
  );

  app.get(
    '/activation',
    {
      schema: {
        ...reading(tag, wire.activation, 'invalid'),
        operationId: 'getActivation',
        summary: 'Setup checklist',
        description: 'The steps to a first useful answer, each with its command.',
        querystring: pageQuery,
      },
    },
    async ({ principal, query }) => {
      const install = {
        signs: deps.project.secrets.list.length > 0,
        model: deps.models !== null,
        publicUrl: deps.config.publicBaseUrl !== null,
        baseUrl: deps.baseUrl(),
      };
      const items = await readActivation(deps, principal.orgId, install);
      const open = items.filter(({ done, optional }) => !done && !optional);
      return { ready: open.length === 0, next: open[0]?.id ?? null, ...pageOf(items, query) };
    },
  );

  app.get(
    '/activation/snippets',
    {
      schema: {
        ...reading(tag, wire.snippets, 'invalid'),
        operationId: 'getActivationSnippets',
        summary: 'How to connect each client',
        description: 'With a placeholder for the key, because svc shows a key only when it is created.',
        querystring: pageQuery,
      },
    },
    async ({ principal, query }) => {
      const { name, base_url, doors } = await surfaceOf(principal.orgId);
      const place = { baseUrl: base_url, instance: name };
      return {
        base_url,
        connect_line: doors.skill ? agentLine(place, KEY_PLACEHOLDER) : null,
        ...pageOf(connectSnippets(place, KEY_PLACEHOLDER), query),
      };
    },
  );

  app.get(
    '/surface',
    {
      schema: {
        ...reading(tag, wire.surface),
        operationId: 'getSurface',
        summary: 'Name and addresses of this installation',
        description: 'Name and tagline from svc.config.yaml, or set here.',
      },
    },
    async ({ principal }, reply) => {
      await tagSetting(reply, principal.orgId, 'instance');
      return surfaceOf(principal.orgId);
    },
  );

  app.put(
    '/surface',
    {
      schema: {
        ...changing(tag, 200, wire.surface, 'precondition_failed'),
        operationId: 'putSurface',
        summary: 'Set name and tagline of this organization',
        description:
          'Changes the connection snippets and previews. For the only organization, or the demo organization, it also changes the front page and SKILL.md. Returns 409 while svc.config.yaml sets `instance`.',
        body: wire.surfaceBody.meta({ examples: [{ name: 'Acme data', tagline: 'Ask about sales' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await putSetting(deps, actorOf(request), 'instance', request.body, ifMatch(request));
        await tagSetting(reply, request.principal.orgId, 'instance');
        return { status: 200, body: await surfaceOf(request.principal.orgId) };
      }),
  );

  app.get(
    '/surface/preview',
    {
      schema: {
        ...reading(tag, wire.surfacePreview, 'not_found', 'invalid'),
        operationId: 'previewSurface',
        summary: 'What callers and agents see',
        description:
          'Lenses with questions, metrics, fields, definitions and certified questions. With `caller`: only what that caller sees, with the names of its row policies.',
        querystring: wire.previewQuery,
      },
    },
    async ({ principal, query }) => {
      const { name, tagline, base_url } = await surfaceOf(principal.orgId);
      const seen = await seenBy(deps, principal.orgId, query.caller ?? null);
      return {
        name,
        tagline,
        ...seen,
        snippets: connectSnippets({ baseUrl: base_url, instance: name }, KEY_PLACEHOLDER),
        skill: skillPage(deps, { name, tagline }),
      };
    },
  );
}
