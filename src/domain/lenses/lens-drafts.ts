// Changes, validates, tries and publishes drafts of lenses. Publishing a draft of a file-based lens edits its files.
import type { Report } from '../../lens/compile/checked-warehouse.ts';
import { Problem } from '../../platform/problem.ts';
import { type EditTarget, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import { addLensGrants } from '../identity/grant-repository.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { type CheckedDraft, checkDraft, validDraft } from './check-draft.ts';
import { deployedLensFiles, publishToFiles } from './edit-lens-files.ts';
import { diffLenses, type LensChange } from './lens-diff.ts';
import * as rows from './lens-draft-repository.ts';
import type { ServedLens, ServedLenses } from './lens-repository.ts';
import { type Files, getLens, isFromFiles, type LensDeps, requireLens, requireLensToChange } from './lenses.ts';
import { withDictionaries } from './with-dictionaries.ts';

const noDraft = () =>
  new Problem('not_found', 'This lens has no such draft. GET /mgmt/lenses/{name}/drafts lists them.');

/** Without files, a draft starts from the served version. */
export function createDraft(
  deps: LensDeps,
  actor: Actor,
  name: string,
  draft: { files?: Files; message?: string | null },
): Promise<rows.Draft> {
  return runAudited(deps, actor, async (db) => {
    const lens = await requireLens(db, name);
    const base = await rows.findVersion(db, name, null);
    const files = draft.files ?? (isFromFiles(lens) ? await deployedLensFiles(db, name) : base?.files);
    if (!files)
      throw new Problem('invalid', 'This lens has no version to start from. Send its files: {"lens.yaml": "…"}.', {
        param: 'files',
      });
    const result = await rows.insertDraft(db, {
      lens: name,
      baseVersion: base?.version ?? null,
      files,
      message: draft.message ?? null,
      actor: actor.name,
    });
    return { result, action: 'draft.create', objectId: result.id, after: { lens: name } };
  });
}

export function getDraft(deps: LensDeps, orgId: string, name: string, id: string): Promise<rows.Draft> {
  return deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    const found = await rows.findDraft(db, name, id);
    if (!found) throw noDraft();
    return found;
  });
}
export const listDrafts = (deps: LensDeps, orgId: string, name: string, page: RowPage): Promise<rows.Draft[]> =>
  deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    return rows.listDrafts(db, name, page);
  });

export function changeDraft(
  deps: LensDeps,
  actor: Actor,
  name: string,
  target: EditTarget,
  change: { files: Files; message?: string | null },
): Promise<rows.Draft> {
  return runAudited(deps, actor, async (db) => {
    const before = await openDraft(db, name, target);
    const result = await rows.updateDraft(db, before.id, change);
    return { result, action: 'draft.change', objectId: before.id, before: before.files, after: result.files };
  });
}
export function deleteDraft(deps: LensDeps, actor: Actor, name: string, target: EditTarget): Promise<void> {
  return runAudited(deps, actor, async (db) => {
    const before = await openDraft(db, name, target);
    await rows.deleteDraft(db, before.id);
    return { result: undefined, action: 'draft.delete', objectId: before.id, before: before.files };
  });
}
async function openDraft(db: TenantClient, name: string, { id, ifMatch }: EditTarget): Promise<rows.Draft> {
  await requireLens(db, name);
  const read = async () => {
    const found = await rows.findDraft(db, name, id);
    if (!found) throw noDraft();
    if (found.status === 'published')
      throw new Problem('conflict', `This draft was published as version ${found.publishedVersion}. Create a new one.`);
    return found;
  };
  return readForEdit(db, 'draft', ifMatch, read, ({ revision }) => revision);
}

export type Validation = CheckedDraft & { changes: LensChange[] };
export async function validateDraft(deps: LensDeps, actor: Actor, name: string, id: string): Promise<Validation> {
  const { orgId } = actor;
  const draft = await getDraft(deps, orgId, name, id);
  const checked = await checkDraft(deps, orgId, name, draft.files, { actor });
  const liveVersion = await deps.tenancy.inTenant(orgId, (db) => rows.findVersion(db, name, null));
  return { ...checked, changes: liveVersion && checked.lens ? diffLenses(liveVersion.compiled, checked.lens) : [] };
}

/** The draft in the form that asks use. Throws its problems. */
export async function draftAsServed(
  deps: LensDeps & { lenses: Pick<ServedLenses, 'find'> },
  actor: Actor,
  name: string,
  id: string,
): Promise<ServedLens> {
  const { orgId } = actor;
  const current = await deps.lenses.find(orgId, name);
  const draft = await getDraft(deps, orgId, name, id);
  const refusal = 'The draft has problems, so svc can’t ask it';
  const { lens, dictionaries } = await validDraft(deps, orgId, name, draft.files, { actor, refusal });
  const row = await getLens(deps, orgId, name);
  return {
    lensId: row.id,
    name,
    version: row.lastVersion + 1,
    origin: 'api',
    lens: withDictionaries(lens, dictionaries),
    certified: current?.certified ?? new Map(),
    createdAt: null,
    valuesReadAt: null,
    suspended: current?.suspended ?? new Map(),
    stamp: `draft ${draft.id} ${draft.revision}`,
  };
}

export async function publishDraft(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  name: string,
  { id, ifMatch }: EditTarget,
  report?: Report,
): Promise<{ version: number; warnings: string[] }> {
  const draft = await getDraft(deps, actor.orgId, name, id);
  if (isFromFiles(await getLens(deps, actor.orgId, name))) return publishInFiles(deps, actor, draft, ifMatch, report);
  const refusal = 'The draft was not published';
  const checked = await validDraft(deps, actor.orgId, name, draft.files, { report, actor, refusal });
  return runAudited(deps, actor, async (db) => {
    const open = await openDraft(db, name, { id, ifMatch: ifMatch ?? String(draft.revision) });
    const lens = await requireLensToChange(db, name);
    if (lens.activeVersion !== null && lens.activeVersion !== open.baseVersion)
      throw new Problem(
        'conflict',
        `Version ${lens.activeVersion} was published since this draft was made from ${open.baseVersion === null ? 'nothing' : `version ${open.baseVersion}`}. Create a new draft from it.`,
      );
    const result = await rows.publishVersion(db, lens, { ...checked, files: open.files, actor: actor.name });
    if (!actor.keepsAccess) await addLensGrants(db, name, checked.grants);
    await rows.updateDraft(db, open.id, { publishedVersion: result });
    return {
      result: { version: result, warnings: checked.warnings },
      action: 'lens.publish',
      objectId: name,
      before: { version: lens.activeVersion },
      after: { version: result, draft_id: id },
    };
  });
}

async function publishInFiles(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  draft: rows.Draft,
  ifMatch: string | null,
  report?: Report,
): Promise<{ version: number; warnings: string[] }> {
  const name = draft.lens;
  await deps.tenancy.inTenant(actor.orgId, (db) =>
    openDraft(db, name, { id: draft.id, ifMatch: ifMatch ?? String(draft.revision) }),
  );
  const { files, message, createdAt: since } = draft;
  const { warnings } = await publishToFiles(deps.project, actor, name, { files, since, message }, report);
  return runAudited(deps, actor, async (db) => {
    const { activeVersion } = await requireLens(db, name);
    await rows.updateDraft(db, draft.id, { publishedVersion: activeVersion! });
    return {
      result: { version: activeVersion!, warnings },
      ...{ action: 'lens.publish', objectId: name },
      ...{ before: { version: draft.baseVersion }, after: { version: activeVersion, draft_id: draft.id } },
    };
  });
}
