import type { z } from 'zod';
import { standardsSchema } from '../../../contract/files/config-file.ts';
import { pageQuerySchema } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/cockpit.ts';
import { runStartResponse } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { readActivation } from '../../../domain/cockpit/activation.ts';
import { checkStandardsOfAllLenses } from '../../../domain/cockpit/check-standards-of-all-lenses.ts';
import { listGaps, refreshGaps, resolveGap, type StoredGap } from '../../../domain/cockpit/gap-map.ts';
import { changeSetting, readSetting } from '../../../domain/cockpit/settings.ts';
import { listLensesVisibleTo, readInstanceSetting } from '../../../domain/cockpit/surface.ts';
import type { Standards } from '../../../domain/project/check-standards.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { createOperationFactory, type OperationCall, type ResultOf } from '../../http/operation.ts';
import { readPageByOffset, selectPage } from '../../http/page.ts';
import { createConnectSnippets, KEY_PLACEHOLDER, writeAgentInstruction } from '../../pages/connect-snippets.ts';
import { writeSkillPage } from '../../pages/skill.ts';
import { startRun } from '../lens-scope.ts';
import { toPatchView } from './patch-routes.ts';

type RouteDeps = Pick<
  Deps,
  'tenancy' | 'lenses' | 'clock' | 'project' | 'models' | 'config' | 'baseUrl' | 'visitors' | 'warehouses' | 'runs'
>;
const defineOperation = createOperationFactory<RouteDeps>('cockpit');

type SettingCall = Pick<OperationCall<RouteDeps>, 'deps' | 'orgId'>;
const getRevision = ({ revision }: { revision: string }) => revision;

const readStandards = async ({ deps, orgId }: SettingCall) => {
  const { body, ...setting } = await readSetting<Standards>(deps, orgId, 'standards');
  return { ...setting, standards: standardsSchema.parse(body ?? {}) };
};
const toStandardsView = ({ standards, origin }: ResultOf<typeof readStandards>) => ({ ...standards, origin });

const readSurfaceBranding = ({ deps, orgId }: SettingCall) =>
  readInstanceSetting(deps, orgId, deps.config.operator.instance ?? null);
function toSurfaceView(
  { revision: _, ...surface }: ResultOf<typeof readSurfaceBranding>,
  { deps }: Pick<SettingCall, 'deps'>,
) {
  const baseUrl = deps.baseUrl();
  const skill = deps.config.publicBaseUrl !== null || deps.config.demoOrg !== null ? `${baseUrl}/SKILL.md` : null;
  return {
    ...surface,
    base_url: baseUrl,
    doors: { v1: `${baseUrl}/v1`, mcp: `${baseUrl}/mcp`, docs: `${baseUrl}/docs`, skill },
  };
}

const standardsReply = { result: wire.standardsStateSchema, revision: getRevision, view: toStandardsView };
const surfaceReply = { result: wire.surfaceBrandingSchema, revision: getRevision, view: toSurfaceView };

export const dashboardRoutes = [
  defineOperation('GET', '/standards', {
    id: 'getStandards',
    summary: 'The standards for lenses',
    description: 'Returns the standards from svc.config.yaml or from PUT, otherwise the defaults.',
    access: 'any viewer',
    ...standardsReply,
    run: readStandards,
  }),
  defineOperation('PUT', '/standards', {
    id: 'putStandards',
    summary: 'Set the standards for lenses',
    description:
      'The standards apply to every later plan, draft and check. Returns 409 while svc.config.yaml sets them.',
    body: standardsSchema.meta({
      examples: [{ metric_description: 'error', dataset_description: 'warn', certified_minimum: 5 }],
    }),
    ...standardsReply,
    ifMatch: true,
    run: async ({ deps, orgId, actor, body, ifMatch }) => {
      await changeSetting(deps, actor, 'standards', body, ifMatch);
      return readStandards({ deps, orgId });
    },
  }),
  defineOperation('GET', '/standards/check', {
    id: 'checkStandards',
    summary: 'Check every published lens against the standards',
    description: 'Each finding names the file, line and column.',
    query: pageQuerySchema,
    result: wire.standardsCheckSchema,
    run: async ({ deps, orgId, query }) => {
      const findings = await checkStandardsOfAllLenses(deps, orgId, (await readStandards({ deps, orgId })).standards);
      const ok = findings.items.every(({ severity }) => severity !== 'error');
      return { ok, lenses: findings.lenses, ...selectPage(findings.items, query) };
    },
  }),
  defineOperation('GET', '/activation', {
    id: 'getActivation',
    summary: 'Setup checklist',
    description: 'The steps to a first useful answer, each with its command.',
    query: pageQuerySchema,
    result: wire.activationSchema,
    run: async ({ deps, orgId, query }) => {
      const items = await readActivation(deps, orgId, {
        signsReceipts: deps.project.secrets.keys.length > 0,
        hasModel: deps.models !== null,
        hasPublicUrl: deps.config.publicBaseUrl !== null,
        baseUrl: deps.baseUrl(),
      });
      const openSteps = items.filter(({ done, optional }) => !done && !optional);
      return { ready: openSteps.length === 0, next: openSteps[0]?.id ?? null, ...selectPage(items, query) };
    },
  }),
  defineOperation('GET', '/activation/snippets', {
    id: 'getActivationSnippets',
    summary: 'How to connect each client',
    description: 'The settings have a placeholder for the key, because svc shows a key only when it is created.',
    access: 'any viewer',
    query: pageQuerySchema,
    result: wire.snippetsSchema,
    run: async ({ deps, orgId, query }) => {
      const { name, base_url, doors } = toSurfaceView(await readSurfaceBranding({ deps, orgId }), { deps });
      const endpoint = { baseUrl: base_url, instance: name };
      return {
        base_url,
        connect_line: doors.skill ? writeAgentInstruction(endpoint, KEY_PLACEHOLDER) : null,
        ...selectPage(createConnectSnippets(endpoint, KEY_PLACEHOLDER), query),
      };
    },
  }),
  defineOperation('GET', '/surface', {
    id: 'getSurface',
    summary: 'Name and addresses of this installation',
    description: 'The name and tagline come from svc.config.yaml or from PUT.',
    access: 'any viewer',
    ...surfaceReply,
    run: readSurfaceBranding,
  }),
  defineOperation('PUT', '/surface', {
    id: 'putSurface',
    summary: 'Set name and tagline of this organization',
    description:
      'Changes the connection snippets and previews. For the only organization, or the demo organization, it also changes the front page and SKILL.md. Returns 409 while svc.config.yaml sets `instance`.',
    body: wire.surfaceBodySchema.meta({ examples: [{ name: 'Acme data', tagline: 'Ask about sales' }] }),
    ...surfaceReply,
    ifMatch: true,
    run: async ({ deps, orgId, actor, body, ifMatch }) => {
      await changeSetting(deps, actor, 'instance', body, ifMatch);
      return readSurfaceBranding({ deps, orgId });
    },
  }),
  defineOperation('GET', '/surface/preview', {
    id: 'previewSurface',
    summary: 'What callers and agents see',
    description:
      'Lists lenses with their sample questions, metrics, fields, definitions and certified questions. With `caller`, lists only what that caller sees, and the names of the row policies that apply.',
    query: wire.previewQuerySchema,
    result: wire.surfacePreviewSchema,
    fails: ['not_found'],
    run: async ({ deps, orgId, query }) => {
      const { name, tagline } = await readSurfaceBranding({ deps, orgId });
      const visibleLenses = await listLensesVisibleTo(deps, orgId, query.caller ?? null);
      return {
        name,
        tagline,
        ...visibleLenses,
        snippets: createConnectSnippets({ baseUrl: deps.baseUrl(), instance: name }, KEY_PLACEHOLDER),
        skill: writeSkillPage(deps, { name, tagline }),
      };
    },
  }),
  defineOperation('GET', '/gap-map', {
    id: 'listGaps',
    summary: 'Questions without a good answer, grouped by cause',
    description:
      'Lists the gaps in the newest 10,000 requests, most asked first, with a suggested fix for each. svc refreshes the list if it is older than ten seconds.',
    query: wire.gapQuerySchema,
    result: wire.gapListSchema,
    run: ({ deps, orgId, query: { limit, cursor, ...filter } }) =>
      readPageByOffset({ limit, cursor }, (page) => listGaps(deps, orgId, filter, page), toGapView),
  }),
  defineOperation('POST', '/gap-map/refresh', {
    id: 'refreshGapMap',
    access: 'curator',
    summary: 'Find gaps now',
    description: 'Follow the run at GET /mgmt/runs/{run_id}. The run removes gaps that the lenses can answer now.',
    ...runStartResponse,
    run: (call) =>
      startRun(call, { kind: 'gap_map.refresh', about: { kind: 'gap_map', id: null } }, async () => ({
        gaps: await refreshGaps(call.deps, call.orgId),
      })),
  }),
  defineOperation('POST', '/gap-map/:id/resolve', {
    id: 'resolveGap',
    access: 'curator',
    summary: 'Resolve a gap',
    description:
      'With `change`, svc drafts a fix for the lens. svc opens a gap again if callers ask its question again.',
    params: wire.gapParamsSchema,
    body: wire.resolveGapBodySchema.meta({ examples: [{ how: 'out_of_scope', note: 'We keep no staff data' }] }),
    result: wire.resolvedGapSchema,
    run: ({ deps, actor, params, body }) => resolveGap(deps, actor, params.id, body),
    view: ({ gap, patch }) => ({ ...toGapView(gap), patch: patch && toPatchView(patch) }),
  }),
];

const toGapView = (gap: StoredGap): z.infer<typeof wire.gapSchema> => ({
  ...toWireObject(gap),
  suggestion: { ...gap.suggestion, change: gap.suggestion.change as unknown as Record<string, unknown> | null },
});
