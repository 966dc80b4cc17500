// Publishing a draft of a file-based lens edits its files.
import type { ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { type EditTarget, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { describeSuspensions } from '../certified/dependencies.ts';
import { addGrants } from '../identity/grant-repository.ts';
import { findLastDeployment } from '../project/deployment-repository.ts';
import { editProject } from '../project/edit-project.ts';
import { mergeFileVersions } from '../project/merge-edits.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { withDictionaries } from '../project/read-dictionaries.ts';
import { checkDraft, type DraftCheckResult, requireValidDraft } from './check-draft.ts';
import { diffLenses, type LensChange } from './lens-diff.ts';
import * as rows from './lens-draft-repository.ts';
import type { LiveLens, LiveLenses } from './lens-repository.ts';
import { readDeployedLensFiles } from './lens-versions.ts';
import { type Files, getLens, isFromFiles, type LensDeps, requireLens, requireLensToChange } from './lenses.ts';

/** Without files, the draft starts from the served version. */
export function createDraft(
  deps: LensDeps,
  actor: Actor,
  name: string,
  draft: { files?: Files; message?: string | null },
): Promise<rows.LensDraft> {
  return runAudited(deps, actor, async (db) => {
    const lens = await requireLens(db, name);
    const base = await rows.findVersion(db, name, null);
    const files = draft.files ?? (isFromFiles(lens) ? await readDeployedLensFiles(db, name) : base?.files);
    if (!files)
      throw new Problem('invalid', 'This lens has no version to start from. Send its files: {"lens.yaml": "…"}.', {
        param: 'files',
      });
    const { message = null } = draft;
    const newDraft = { lens: name, baseVersion: base?.version ?? null, files, message, createdBy: actor.name };
    const result = await rows.insertDraft(db, newDraft);
    return { result, action: 'draft.create', objectId: result.id, after: { lens: name } };
  });
}

async function requireDraft(db: TenantClient, name: string, id: string): Promise<rows.LensDraft> {
  await requireLens(db, name);
  const noSuchDraft = 'This lens has no draft with this id. GET /mgmt/lenses/{name}/drafts lists the drafts.';
  return requireFound(await rows.findDraft(db, name, id), noSuchDraft);
}
export const getDraft = withOwnTransaction(requireDraft);

export const listDrafts = withOwnTransaction(async (db, name: string, page: RowPage) => {
  await requireLens(db, name);
  return db.rows<rows.LensDraft>(
    `select ${rows.DRAFT_COLUMNS} from svc.lens_drafts
     where lens = $1 and ($3::uuid is null or id < $3) order by id desc limit $2`,
    [name, page.limit, page.after],
  );
});

export function changeDraft(
  deps: LensDeps,
  actor: Actor,
  name: string,
  target: EditTarget,
  change: { files: Files; message?: string | null },
): Promise<rows.LensDraft> {
  return runAudited(deps, actor, async (db) => {
    const previousDraft = await requireOpenDraft(db, name, target);
    const result = await rows.updateDraft(db, previousDraft.id, change);
    const { id: objectId, files: before } = previousDraft;
    return { result, action: 'draft.change', objectId, before, after: result.files };
  });
}

export function deleteDraft(deps: LensDeps, actor: Actor, name: string, target: EditTarget): Promise<void> {
  return runAudited(deps, actor, async (db) => {
    const { id, files } = await requireOpenDraft(db, name, target);
    await db.run('delete from svc.lens_drafts where id = $1', [id]);
    return { result: undefined, action: 'draft.delete', objectId: id, before: files };
  });
}

async function requireOpenDraft(db: TenantClient, name: string, { id, ifMatch }: EditTarget): Promise<rows.LensDraft> {
  const readDraft = async () => {
    const draft = await requireDraft(db, name, id);
    if (draft.status === 'published')
      throw new Problem('conflict', `This draft was published as version ${draft.publishedVersion}. Create a new one.`);
    return draft;
  };
  return readForEdit(db, 'draft', ifMatch, readDraft, ({ revision }) => revision);
}

export type DraftValidation = DraftCheckResult & { changes: LensChange[] };
export async function validateDraft(deps: LensDeps, actor: Actor, name: string, id: string): Promise<DraftValidation> {
  const { orgId } = actor;
  const draft = await getDraft(deps, orgId, name, id);
  const checkedDraft = await checkDraft(deps, orgId, name, draft.files, { actor });
  const { liveVersion, lensId } = await deps.tenancy.inTenant(orgId, async (db) => ({
    liveVersion: await rows.findVersion(db, name, null),
    lensId: (await requireLens(db, name)).id,
  }));
  if (!liveVersion || !checkedDraft.lens) return { ...checkedDraft, changes: [] };
  const changes = diffLenses(liveVersion.compiled, checkedDraft.lens);
  const suspensions = await describeSuspensions(deps.tenancy, orgId, { lensId, lens: checkedDraft.lens }, changes);
  return { ...checkedDraft, changes, warnings: [...checkedDraft.warnings, ...(suspensions ? [suspensions] : [])] };
}

/** Throws if the draft has problems. */
export async function loadDraftAsLiveLens(
  deps: LensDeps & { lenses: Pick<LiveLenses, 'find'> },
  actor: Actor,
  name: string,
  id: string,
): Promise<LiveLens> {
  const { orgId } = actor;
  const liveLens = await deps.lenses.find(orgId, name);
  const draft = await getDraft(deps, orgId, name, id);
  const refusal = 'The draft has problems, so svc can’t answer questions with it';
  const { lens, dictionaries } = await requireValidDraft(deps, orgId, name, draft.files, { actor, refusal });
  const row = await getLens(deps, orgId, name);
  return {
    lensId: row.id,
    name,
    version: row.lastVersion + 1,
    origin: 'api',
    lens: withDictionaries(lens, dictionaries),
    certified: liveLens?.certified ?? new Map(),
    createdAt: null,
    valuesReadAt: null,
    suspended: liveLens?.suspended ?? new Map(),
    stamp: `draft ${draft.id} ${draft.revision}`,
  };
}

export async function publishDraft(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  name: string,
  { id, ifMatch }: EditTarget,
  report?: ProgressReporter,
): Promise<{ version: number; warnings: string[] }> {
  const draft = await getDraft(deps, actor.orgId, name, id);
  if (isFromFiles(await getLens(deps, actor.orgId, name))) return publishFileDraft(deps, actor, draft, ifMatch, report);
  const refusal = 'The draft was not published';
  const checkedDraft = await requireValidDraft(deps, actor.orgId, name, draft.files, { report, actor, refusal });
  return runAudited(deps, actor, async (db) => {
    const openDraft = await requireOpenDraft(db, name, { id, ifMatch: ifMatch ?? String(draft.revision) });
    const lens = await requireLensToChange(db, name);
    if (lens.activeVersion !== null && lens.activeVersion !== openDraft.baseVersion)
      throw new Problem(
        'conflict',
        `Version ${lens.activeVersion} was published since this draft was created${openDraft.baseVersion === null ? '' : ` from version ${openDraft.baseVersion}`}. Create a new draft.`,
      );
    const result = await rows.publishVersion(db, lens, { ...checkedDraft, files: openDraft.files, actor: actor.name });
    if (!actor.keepsAccess) await addGrants(db, 'lens_api', [name], checkedDraft.grants);
    await rows.updateDraft(db, openDraft.id, { publishedVersion: result });
    return {
      result: { version: result, warnings: checkedDraft.warnings },
      ...{ action: 'lens.publish', objectId: name },
      ...{ before: { version: lens.activeVersion }, after: { version: result, draft_id: id } },
    };
  });
}

/** Merges the draft into the current files of the project. Keeps other files. */
async function publishFileDraft(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  draft: rows.LensDraft,
  ifMatch: string | null,
  report?: ProgressReporter,
): Promise<{ version: number; warnings: string[] }> {
  const { lens: name, message } = draft;
  const prefix = `lenses/${name}/`;
  const deployment = await deps.tenancy.inTenant(actor.orgId, async (db) => {
    await requireOpenDraft(db, name, { id: draft.id, ifMatch: ifMatch ?? String(draft.revision) });
    return findLastDeployment(db, draft.createdAt);
  });
  const mergeDraft = async (files: Files) => {
    const changedFiles: Record<string, string | null> = {};
    for (const [file, edited] of Object.entries(draft.files)) {
      const path = prefix + file;
      const base = deployment?.files[path] ?? null;
      const theirs = files[path] ?? null;
      if (edited === base) continue;
      const merged =
        theirs === edited ? { text: edited } : await mergeFileVersions(actor.orgId, path, { base, edited, theirs });
      if ('conflictLine' in merged)
        throw new Problem(
          'conflict',
          `${path} was changed at line ${merged.conflictLine} after this draft was created, and the draft changes the same place. Create a new draft.`,
        );
      changedFiles[path] = merged.text;
    }
    return changedFiles;
  };
  const options = { message: message ?? `Publish a draft of lens ${name}`, report };
  const { warnings } = await editProject(deps.project, actor, mergeDraft, options);
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
