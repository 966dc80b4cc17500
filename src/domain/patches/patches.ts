// A fix publishes a new version of a lens created through the API. For a file-based lens, it edits files or shows a
// diff.
import type { EvalExpectation } from '../../contract/files/corpus-files.ts';
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { approveCertifiedEntry, changeCertifiedEntry, createCertifiedEntry, toSlug } from '../certified/entries.ts';
import { findEntry } from '../certified/entry-repository.ts';
import { findEval, insertEval } from '../evals/evals.ts';
import type { Principal } from '../identity/principal.ts';
import { requireValidDraft } from '../lenses/check-draft.ts';
import { createDraft, publishDraft } from '../lenses/lens-drafts.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import { readCurrentFiles, selectFilesBelow } from '../lenses/lens-versions.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { exportProject } from '../project/deployments.ts';
import { editProject } from '../project/edit-project.ts';
import { areTextsShort, runFileTask } from '../project/files/file-tasks.ts';
import { editFile, writeUnifiedDiff } from '../project/files/read-files.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { findReview, type Review } from '../reviews/review-repository.ts';
import { editApiDefinition, publishApiDefinition } from './api-definition.ts';
import { findChangedTerm, SHARED_DEFINITIONS_PATH } from './change-files.ts';
import {
  findPatch,
  insertPatch,
  type NewPatch,
  type Patch,
  type PatchOutcome,
  SELECT_PATCHES,
} from './patch-repository.ts';

export interface PatchDeps {
  tenancy: Tenancy;
  warehouses: WarehouseDirectory;
  clock: { now(): Date };
  project: ProjectDeps;
}

export async function draftPatch(
  deps: Pick<PatchDeps, 'tenancy' | 'warehouses'>,
  actor: Actor,
  liveLens: LiveLens,
  newPatch: Omit<NewPatch, 'createdBy' | 'lens'>,
): Promise<Patch> {
  if (newPatch.reviewId) await requireReviewOfLens(deps, actor.orgId, newPatch.reviewId, liveLens.name);
  await planPatchEdits(deps, actor.orgId, liveLens, newPatch.change); // this call throws if svc can't apply the change
  return runAudited(deps, actor, async (db) => {
    const patch = await insertPatch(db, { ...newPatch, lens: liveLens.name, createdBy: actor.name });
    const { id: objectId, lens, change } = patch;
    return { result: patch, action: 'patch.create', objectId, after: { lens, change } };
  });
}

export interface WordPatchProposal {
  requestId: string;
  question: string;
  change: PatchChange;
}

/** After a curator approves or rejects the patch, svc doesn't propose the word again. */
export async function proposeWordPatch(
  deps: Pick<PatchDeps, 'tenancy' | 'warehouses'>,
  { orgId, demo }: Principal,
  liveLens: LiveLens,
  { requestId, question, change }: WordPatchProposal,
): Promise<void> {
  if (demo) return;
  const existingPatches = await deps.tenancy.inTenant(orgId, (db) =>
    db.run('select 1 from svc.patches where lens = $1 and change = $2::jsonb limit 1', [
      liveLens.name,
      JSON.stringify(change),
    ]),
  );
  if (existingPatches > 0) return;
  const gain = `svc then interprets “${question}” in the same way without a language model, and can verify the answer.`;
  const reason =
    change.kind === 'filler_word' ? `Approve this only if “${change.word}” never restricts rows. ${gain}` : gain;
  await draftPatch(deps, { orgId, name: 'svc', requestId }, liveLens, { change, reason });
}

export const listPatches = withOwnTransaction(
  (db, lens: string, { status }: { status?: string | undefined }, page: RowPage) =>
    db.rows<Patch>(
      `${SELECT_PATCHES} where lens = $1 and ($2::text is null or status = $2) and ($3::uuid is null or id < $3) order by id desc limit $4`,
      [lens, status, page.after, page.limit],
    ),
);

export const getPatch = withOwnTransaction(async (db, lens: string, id: string): Promise<Patch> => {
  const noSuchPatch = `Lens ${lens} has no patch with this id. GET /mgmt/lenses/${lens}/patches lists the patches.`;
  return requireFound(await findPatch(db, lens, id), noSuchPatch, 'id');
});

/** Null if the lens or entry was created through the API and so has no files, or if the eval already exists. */
async function toFileChange(
  { tenancy }: Pick<PatchDeps, 'tenancy'>,
  orgId: string,
  { origin, lensId }: LiveLens,
  change: PatchChange,
): Promise<PatchChange | null> {
  if (change.kind !== 'certified' && change.kind !== 'eval') return change;
  if (origin === 'api') return null;
  if (change.kind === 'eval') {
    const id = change.id ?? toSlug(change.question);
    return (await tenancy.inTenant(orgId, (db) => findEval(db, lensId, id))) ? null : { ...change, id };
  }
  const cert_id = change.cert_id ?? toSlug(change.question);
  const storedEntry = await tenancy.inTenant(orgId, (db) => findEntry(db, lensId, cert_id));
  return storedEntry?.origin === 'api' ? null : { ...change, cert_id };
}

/** Null for a change outside files. If only the shared file defines the term, the fix can affect other lenses. */
export async function planPatchEdits(
  deps: Pick<PatchDeps, 'tenancy' | 'warehouses'>,
  orgId: string,
  liveLens: LiveLens,
  draftedChange: PatchChange,
) {
  const change = await toFileChange(deps, orgId, liveLens, draftedChange);
  if (!change) return null;
  const files = await readCurrentFiles(deps, orgId, liveLens.name);
  const sharedEdit = await planSharedDefinitionsEdit(deps, orgId, files, change);
  if (sharedEdit) return { change, own: files, ...sharedEdit, byApi: null };
  const byApi =
    liveLens.origin === 'api' && !(await definesTerm(orgId, files, change))
      ? await editApiDefinition(deps, orgId, change)
      : null;
  if (byApi) return { change, own: files, files: null, diff: byApi.diff, shared: byApi.allDefinitions, byApi };
  const changedFiles = await changeLensFiles(orgId, files, change);
  if (Object.keys(changedFiles).length === 0) return null;
  const prefix = `lenses/${liveLens.name}/`;
  const fileTexts = Object.fromEntries(Object.entries(changedFiles).map(([path, text]) => [prefix + path, text]));
  return {
    change,
    own: { ...files, ...changedFiles },
    files: fileTexts,
    diff: await writeUnifiedDiff(orgId, files, changedFiles, prefix),
    shared: null,
    byApi: null,
  };
}

const createTooLongMessage = (limit: string): string =>
  `The files take longer than ${limit} to change. Split the lens.`;
const changeLensFiles = (orgId: string, files: Record<string, string>, change: PatchChange) =>
  runFileTask(
    orgId,
    'changeFiles',
    { isSmall: areTextsShort(...Object.values(files)), createTooLongMessage },
    files,
    change,
  );

/** Null if the file doesn't define the term. */
function changeDefinitions(orgId: string, text: string, change: PatchChange): Promise<string | null> {
  const isSmall = areTextsShort(text) || findChangedTerm(change) === null;
  return runFileTask(orgId, 'changeDefinitions', { isSmall, createTooLongMessage }, text, change);
}
const definesTerm = async (orgId: string, lensFiles: Record<string, string>, change: PatchChange): Promise<boolean> =>
  (await changeDefinitions(orgId, lensFiles['lens.yaml'] ?? '', change)) !== null;

async function planSharedDefinitionsEdit(
  deps: Pick<PatchDeps, 'tenancy'>,
  orgId: string,
  lensFiles: Record<string, string>,
  change: PatchChange,
) {
  if (await definesTerm(orgId, lensFiles, change)) return null;
  const previousText = (await exportProject(deps, orgId)).files[SHARED_DEFINITIONS_PATH] ?? '';
  const changedText = await changeDefinitions(orgId, previousText, change);
  if (changedText === null) return null;
  const files = { [SHARED_DEFINITIONS_PATH]: changedText };
  return {
    files,
    diff: await writeUnifiedDiff(orgId, { [SHARED_DEFINITIONS_PATH]: previousText }, files, ''),
    shared: changedText,
  };
}

export async function approvePatch(
  deps: PatchDeps,
  actor: Actor,
  liveLens: LiveLens,
  patch: Patch,
  { note = null, deploy = true }: { note?: string | null; deploy?: boolean },
): Promise<Patch> {
  requireDraft(patch);
  const outcome = await applyPatch(deps, actor, liveLens, patch, deploy);
  const eval_id = 'eval_id' in outcome ? outcome.eval_id : await addEval(deps, actor.orgId, liveLens, patch);
  return saveDecision(deps, actor, patch, { status: 'approved', note, outcome: { ...outcome, eval_id } });
}

export function rejectPatch(
  deps: PatchDeps,
  actor: Actor,
  patch: Patch,
  { note = null }: { note?: string | null },
): Promise<Patch> {
  requireDraft(patch);
  return saveDecision(deps, actor, patch, { status: 'rejected', note, outcome: null });
}

async function applyPatch(
  deps: PatchDeps,
  actor: Actor,
  liveLens: LiveLens,
  patch: Patch,
  deploy: boolean,
): Promise<PatchOutcome | Omit<PatchOutcome, 'eval_id'>> {
  const { change, id, reason } = patch;
  const edit = await planPatchEdits(deps, actor.orgId, liveLens, change);
  const emptyEdit = { diff: null, files: null };
  if (!edit) {
    if (change.kind === 'certified')
      return { ...emptyEdit, applied: true, how: await certifyEntry(deps, actor, liveLens, change) };
    return { ...emptyEdit, applied: true, how: 'The eval was added.' };
  }
  const { diff, files } = edit;
  if (edit.byApi) return { applied: true, how: await publishApiDefinition(deps, actor, edit.byApi), diff, files };
  const message = reason ?? `Patch ${id}`;
  if (liveLens.origin === 'api' && edit.shared === null) {
    const draft = await createDraft(deps, actor, liveLens.name, { files: edit.own, message });
    const { version } = await publishDraft(deps, actor, liveLens.name, { id: draft.id, ifMatch: null });
    return { applied: true, how: `Version ${version} of the lens was published.`, diff, files };
  }
  if (!deploy) {
    // svc never returns an approved diff that the next apply would refuse.
    const refusal = 'The patch was not approved';
    const sharedDefinitions = edit.shared;
    await requireValidDraft(deps, actor.orgId, liveLens.name, edit.own, { sharedDefinitions, refusal });
    const how = 'svc didn’t deploy the change. Apply the diff to your files, then run `svc apply`.';
    return { applied: false, how, diff, files, ...(change.kind === 'eval' && { eval_id: null }) };
  }
  const regressionEval = await readEvalOfPatch(deps, actor.orgId, liveLens, { ...patch, change: edit.change });
  const changes = [edit.change, ...(regressionEval ? [regressionEval] : [])];
  const approval = { status: undefined, approved_by: actor.name, approved_at: deps.clock.now().toISOString() };
  const applyResult = await editProject(
    deps.project,
    actor,
    (deployedFiles) => applyPatchToFiles(actor.orgId, deployedFiles, liveLens.name, changes, approval),
    { message },
  );
  return {
    applied: true,
    how: `Deployed as project version ${applyResult.version}. Your own files don't contain the change: commit the diff, or run \`svc export\`. Until then, an apply keeps the change or reports a conflict.`,
    diff: applyResult.diff,
    files: applyResult.files,
    eval_id: (edit.change.kind === 'eval' ? edit.change : regressionEval)?.id ?? null,
  };
}

/** Applies the changes to the current files, because they can differ from the files of the patch's draft. */
async function applyPatchToFiles(
  orgId: string,
  deployedFiles: Record<string, string>,
  lens: string,
  changes: readonly PatchChange[],
  approval: Record<string, unknown>,
): Promise<Record<string, string | null>> {
  const prefix = `lenses/${lens}/`;
  const lensFiles = selectFilesBelow(prefix, deployedFiles);
  const changedFiles: Record<string, string | null> = {};
  for (const change of changes) {
    const sharedText = (await definesTerm(orgId, lensFiles, change))
      ? null
      : await changeDefinitions(orgId, deployedFiles[SHARED_DEFINITIONS_PATH] ?? '', change);
    if (sharedText !== null) changedFiles[SHARED_DEFINITIONS_PATH] = sharedText;
    for (const [path, text] of Object.entries(
      sharedText === null ? await changeLensFiles(orgId, lensFiles, change) : {},
    ))
      changedFiles[prefix + path] =
        change.kind === 'certified'
          ? ((await editFile(orgId, text, { is: { id: change.cert_id! }, members: approval })) ?? text)
          : text;
  }
  return changedFiles;
}

/** Null if the patch adds no eval. */
async function readEvalOfPatch(deps: PatchDeps, orgId: string, liveLens: LiveLens, { change, reviewId }: Patch) {
  const expectation = change.kind === 'eval' ? null : await findExpectation(deps, orgId, change, reviewId);
  const evalChange = expectation && (await toFileChange(deps, orgId, liveLens, { kind: 'eval', ...expectation }));
  return evalChange?.kind === 'eval' ? evalChange : null;
}

async function certifyEntry(
  deps: PatchDeps,
  actor: Actor,
  liveLens: LiveLens,
  { cert_id, question, also_asked: alsoAsked = [], sql, parameters = {} }: Extract<PatchChange, { kind: 'certified' }>,
): Promise<string> {
  const target = { liveLens, warehouse: await deps.warehouses.get(actor.orgId, liveLens.lens.connection) };
  const certId = cert_id ?? toSlug(question);
  const text = { question, alsoAsked, sql, parameters };
  const storedEntry = await deps.tenancy.inTenant(actor.orgId, (db) => findEntry(db, liveLens.lensId, certId));
  if (storedEntry) await changeCertifiedEntry(deps, actor, target, { id: certId, ifMatch: null }, text);
  else await createCertifiedEntry(deps, actor, target, { ...text, certId, notes: null, invariants: null });
  await approveCertifiedEntry(deps, actor, target, { id: certId, ifMatch: null }, actor.name);
  return `Certified entry ${certId} was ${storedEntry ? 'changed' : 'added'} and approved.`;
}

/** The eval detects when a corrected answer becomes wrong again. */
async function addEval(
  deps: PatchDeps,
  orgId: string,
  liveLens: LiveLens,
  { change, reviewId }: Patch,
): Promise<string | null> {
  const expectation = await findExpectation(deps, orgId, change, reviewId);
  if (!expectation) return null;
  const id = change.kind === 'eval' && change.id ? change.id : toSlug(expectation.question);
  await deps.tenancy.inTenant(orgId, (db) =>
    insertEval(db, liveLens.lensId, { id, ...expectation, paraphrases: [], choices: null }),
  );
  return id;
}

async function findExpectation(
  deps: PatchDeps,
  orgId: string,
  change: PatchChange,
  reviewId: string | null,
): Promise<{ question: string; expect: EvalExpectation } | null> {
  if (change.kind === 'eval') return { question: change.question, expect: change.expect };
  if (change.kind === 'certified')
    return Object.keys(change.parameters ?? {}).length > 0
      ? null
      : { question: change.question, expect: { sql: change.sql } };
  const review = reviewId ? await deps.tenancy.inTenant(orgId, (db) => findReview(db, reviewId)) : null;
  const expect = review && toExpectation(review.correction);
  return review?.question && expect ? { question: review.question, expect } : null;
}

export function toExpectation(correction: Review['correction']): EvalExpectation | null {
  if (correction?.sql) return { sql: correction.sql };
  const value = correction?.answer?.match(/^\s*[^\d-]*(-?[\d,]+(?:\.\d+)?)[^\d]*$/)?.[1]?.replaceAll(',', '');
  return value ? { value: Number(value), tolerance: 0.01 } : null;
}

function saveDecision(
  deps: PatchDeps,
  actor: Actor,
  { id, lens, status }: Patch,
  decision: { status: 'approved' | 'rejected'; note: string | null; outcome: PatchOutcome | null },
): Promise<Patch> {
  const { note, outcome } = decision;
  return runAudited(deps, actor, async (db) => {
    const decidedCount = await db.run(
      `update svc.patches set status = $2, decided_by = $3, decided_note = $4, outcome = $5, decided_at = now(), updated_at = now()
       where id = $1 and status = 'draft'`,
      [id, decision.status, actor.name, note, outcome && JSON.stringify(outcome)],
    );
    if (decidedCount === 0) throw createAlreadyDecidedProblem(); // in the meantime, another person has approved or rejected the patch
    return {
      result: (await findPatch(db, lens, id))!,
      ...{ action: decision.status === 'approved' ? 'patch.approve' : 'patch.reject', objectId: id },
      ...{ before: { status }, after: { status: decision.status, how: outcome?.how ?? null } },
    };
  });
}
const createAlreadyDecidedProblem = () =>
  new Problem('conflict', 'This patch is already approved or rejected. Draft a new one.');
const requireDraft = ({ status }: Patch): void => {
  if (status !== 'draft') throw createAlreadyDecidedProblem();
};

async function requireReviewOfLens(
  deps: Pick<PatchDeps, 'tenancy'>,
  orgId: string,
  id: string,
  lens: string,
): Promise<void> {
  const review = await deps.tenancy.inTenant(orgId, (db) => findReview(db, id));
  if (review && (review.lens === null || review.lens === lens)) return;
  const message = review
    ? `This review ticket is about the lens ${review.lens}. Draft the patch for that lens.`
    : 'There is no review ticket with this id.';
  throw new Problem('invalid', message, { param: 'review_id' });
}
