// The name of the organization, and the parts of each lens that callers and agents see.

import { SVC_CALLER } from '../../lens/model/lens.ts';
import { findPolicies } from '../../lens/policies/row-policies.ts';
import { isId } from '../../platform/ids.ts';
import { requireFound } from '../../platform/problem.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { findCaller } from '../identity/caller-repository.ts';
import { listLensesOfCaller } from '../identity/grant-repository.ts';
import type { LiveLenses } from '../lenses/lens-repository.ts';
import { readSetting } from './settings.ts';

interface InstanceSetting {
  name?: string | undefined;
  tagline?: string | undefined;
}
export async function readInstanceSetting(deps: { tenancy: Tenancy }, orgId: string, operator: InstanceSetting | null) {
  const { body, origin, revision } = await readSetting<InstanceSetting>(deps, orgId, 'instance');
  const { name, tagline } = { ...operator, ...body };
  return { name: name ?? 'svc', tagline: tagline ?? null, origin, revision };
}

export interface InstanceDetails {
  name: string;
  tagline: string | null;
}

/** Before sign-in, svc uses the settings of the demo organization or of the only organization. */
export async function readInstanceDetails(
  deps: { tenancy: Tenancy },
  operator: InstanceSetting | undefined,
  demoOrg: string | null,
  /** Absent before sign-in, when svc doesn't know the organization yet. */
  orgId?: string,
): Promise<InstanceDetails> {
  const fallback = { name: operator?.name ?? 'svc', tagline: operator?.tagline ?? null };
  try {
    if (orgId !== undefined) return await readInstanceOf(orgId);
    const [organization, secondOrganization] = await deps.tenancy.queryGlobal<{ id: string }>(
      'select id from svc.organizations where $1::text is null or name = $1 or id::text = $1 limit 2',
      [demoOrg],
    );
    if (!organization || secondOrganization) return fallback;
    return await readInstanceOf(organization.id);
  } catch {
    return fallback; // the pages before sign-in also work without the database
  }

  async function readInstanceOf(org: string): Promise<InstanceDetails> {
    const { name, tagline } = await readInstanceSetting(deps, org, operator ?? null);
    return { name, tagline };
  }
}

/** A null `name` means an admin, who sees every lens without row policies. */
export async function listLensesVisibleTo(
  deps: { tenancy: Tenancy; lenses: LiveLenses },
  orgId: string,
  callerName: string | null,
) {
  const callerLenses =
    callerName === null ? null : await deps.tenancy.inTenant(orgId, (db) => readCallerWithLenses(db, callerName));
  const caller = callerLenses ? { ...callerLenses.caller, superuser: false } : SVC_CALLER;
  const lenses = await deps.lenses.list(orgId, callerLenses ? callerLenses.lenses : null);
  return {
    caller: callerLenses?.caller.name ?? null,
    lenses: lenses.map(({ name, lens, certified }) => ({
      name,
      title: lens.title,
      description: lens.description,
      sample_questions: lens.sampleQuestions,
      metrics: lens.metrics.map((metric) => metric.name),
      datasets: lens.datasets.map((dataset) => ({
        name: dataset.name,
        fields: dataset.fields.map((field) => field.name),
        masked: dataset.fields.filter(({ masked }) => masked).map((field) => field.name),
      })),
      definitions: lens.definitions.map(({ term }) => term),
      certified: [...certified.values()].map(({ question }) => question),
      row_policies: lens.datasets.flatMap((dataset) =>
        findPolicies(lens, dataset.name, caller).map((policy) => policy.name),
      ),
    })),
  };
}

async function readCallerWithLenses(db: TenantClient, idOrName: string) {
  const foundCaller = await findCaller(db, isId(idOrName) ? { id: idOrName.toLowerCase() } : { name: idOrName });
  const noSuchCaller = 'There is no caller with this name or id. GET /mgmt/callers lists the callers.';
  const caller = requireFound(foundCaller, noSuchCaller, 'caller');
  return { caller, lenses: await listLensesOfCaller(db, caller) };
}
