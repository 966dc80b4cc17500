// Routes of the admin dashboard: lens standards, the setup checklist, and what callers see.

import { standards } from '../../../contract/files/config-file.ts';
import { pageQuery } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/cockpit.ts';
import type { Deps } from '../../../deps.ts';
import { readActivation } from '../../../domain/cockpit/activation.ts';
import { checkAllStandards } from '../../../domain/cockpit/check-all-standards.ts';
import { putSetting, readSetting } from '../../../domain/cockpit/settings.ts';
import { listLensesVisibleTo, readInstanceSetting } from '../../../domain/cockpit/surface.ts';
import type { Standards } from '../../../domain/project/check-standards.ts';
import { type Call, defineOperations, type ResultOf } from '../../http/operation.ts';
import { pageOf } from '../../http/page.ts';
import { agentLine, createConnectSnippets, KEY_PLACEHOLDER } from '../../pages/connect-snippets.ts';
import { skillPageText } from '../../pages/skill.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'clock' | 'project' | 'models' | 'config' | 'baseUrl' | 'visitors'>;
type CallScope = Pick<Call<RouteDeps>, 'deps' | 'orgId'>;
const operation = defineOperations<RouteDeps>('cockpit');
const revisionOf = ({ revision }: { revision: string }) => revision;

const readStandards = async ({ deps, orgId }: CallScope) => {
  const { body, ...setting } = await readSetting<Standards>(deps, orgId, 'standards');
  return { ...setting, standards: standards.parse(body ?? {}) };
};
const standardsView = ({ standards, origin }: ResultOf<typeof readStandards>) => ({ ...standards, origin });

const readSurfaceOf = ({ deps, orgId }: CallScope) =>
  readInstanceSetting(deps, orgId, deps.config.operator.instance ?? null);
function surfaceView({ revision: _, ...surface }: ResultOf<typeof readSurfaceOf>, { deps }: Pick<CallScope, 'deps'>) {
  const baseUrl = deps.baseUrl();
  const skill = deps.config.publicBaseUrl !== null || deps.config.demoOrg !== null ? `${baseUrl}/SKILL.md` : null;
  return {
    ...surface,
    base_url: baseUrl,
    doors: { v1: `${baseUrl}/v1`, mcp: `${baseUrl}/mcp`, docs: `${baseUrl}/docs`, skill },
  };
}

export const cockpitRoutes = [
  operation('GET', '/standards', {
    id: 'getStandards',
    summary: 'The standards for lenses',
    description: 'Returns the standards from svc.config.yaml or from PUT, otherwise the defaults.',
    access: 'any viewer',
    result: wire.standardsState,
    run: readStandards,
    revision: revisionOf,
    view: standardsView,
  }),
  operation('PUT', '/standards', {
    id: 'putStandards',
    summary: 'Set the standards for lenses',
    description:
      'The standards apply to every later plan, draft and check. Returns 409 while svc.config.yaml sets them.',
    body: standards.meta({
      examples: [{ metric_description: 'error', dataset_description: 'warn', certified_minimum: 5 }],
    }),
    result: wire.standardsState,
    ifMatch: true,
    run: async ({ deps, orgId, actor, body, ifMatch }) => {
      await putSetting(deps, actor, 'standards', body, ifMatch);
      return readStandards({ deps, orgId });
    },
    revision: revisionOf,
    view: standardsView,
  }),
  operation('GET', '/standards/check', {
    id: 'checkStandards',
    summary: 'Check every published lens against the standards',
    description: 'Each finding names the file, line and column.',
    query: pageQuery,
    result: wire.standardsCheck,
    run: async ({ deps, orgId, query }) => {
      const findings = await checkAllStandards(deps, orgId, (await readStandards({ deps, orgId })).standards);
      const ok = findings.items.every(({ severity }) => severity !== 'error');
      return { ok, lenses: findings.lenses, ...pageOf(findings.items, query) };
    },
  }),
  operation('GET', '/activation', {
    id: 'getActivation',
    summary: 'Setup checklist',
    description: 'The steps to a first useful answer, each with its command.',
    access: 'any viewer',
    query: pageQuery,
    result: wire.activation,
    run: async ({ deps, orgId, query }) => {
      const items = await readActivation(deps, orgId, {
        signsReceipts: deps.project.secrets.keys.length > 0,
        model: deps.models !== null,
        hasPublicUrl: deps.config.publicBaseUrl !== null,
        baseUrl: deps.baseUrl(),
      });
      const openSteps = items.filter(({ done, optional }) => !done && !optional);
      return { ready: openSteps.length === 0, next: openSteps[0]?.id ?? null, ...pageOf(items, query) };
    },
  }),
  operation('GET', '/activation/snippets', {
    id: 'getActivationSnippets',
    summary: 'How to connect each client',
    description: 'The settings have a placeholder for the key, because svc shows a key only when it is created.',
    access: 'any viewer',
    query: pageQuery,
    result: wire.snippets,
    run: async ({ deps, orgId, query }) => {
      const { name, base_url, doors } = surfaceView(await readSurfaceOf({ deps, orgId }), { deps });
      const endpoint = { baseUrl: base_url, instance: name };
      return {
        base_url,
        connect_line: doors.skill ? agentLine(endpoint, KEY_PLACEHOLDER) : null,
        ...pageOf(createConnectSnippets(endpoint, KEY_PLACEHOLDER), query),
      };
    },
  }),
  operation('GET', '/surface', {
    id: 'getSurface',
    summary: 'Name and addresses of this installation',
    description: 'The name and tagline come from svc.config.yaml or from PUT.',
    access: 'any viewer',
    result: wire.surface,
    run: readSurfaceOf,
    revision: revisionOf,
    view: surfaceView,
  }),
  operation('PUT', '/surface', {
    id: 'putSurface',
    summary: 'Set name and tagline of this organization',
    description:
      'Changes the connection snippets and previews. For the only organization, or the demo organization, it also changes the front page and SKILL.md. Returns 409 while svc.config.yaml sets `instance`.',
    body: wire.surfaceBody.meta({ examples: [{ name: 'Acme data', tagline: 'Ask about sales' }] }),
    result: wire.surface,
    ifMatch: true,
    run: async ({ deps, orgId, actor, body, ifMatch }) => {
      await putSetting(deps, actor, 'instance', body, ifMatch);
      return readSurfaceOf({ deps, orgId });
    },
    revision: revisionOf,
    view: surfaceView,
  }),
  operation('GET', '/surface/preview', {
    id: 'previewSurface',
    summary: 'What callers and agents see',
    description:
      'Lists lenses with their sample questions, metrics, fields, definitions and certified questions. With `caller`, lists only what that caller sees, and the names of the row policies that apply.',
    query: wire.previewQuery,
    result: wire.surfacePreview,
    fails: ['not_found'],
    run: async ({ deps, orgId, query }) => {
      const { name, tagline } = await readSurfaceOf({ deps, orgId });
      const visibleLenses = await listLensesVisibleTo(deps, orgId, query.caller ?? null);
      return {
        name,
        tagline,
        ...visibleLenses,
        snippets: createConnectSnippets({ baseUrl: deps.baseUrl(), instance: name }, KEY_PLACEHOLDER),
        skill: skillPageText(deps, { name, tagline }),
      };
    },
  }),
];
