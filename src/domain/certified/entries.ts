// Proposes, changes, approves and retires entries. Edits of file-based entries go to their files.
import { Problem } from '../../platform/problem.ts';
import { type EditTarget, readForEdit, refuseStale, revisionOf } from '../../platform/tenancy/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { findCertifiedFault } from './check-certified.ts';
import { editEntryFile, entryMembers } from './edit-entry-file.ts';
import {
  deleteEntry,
  type EntryText,
  findEntry,
  insertEntry,
  listEntries,
  type StoredEntry,
  saveStatusReason,
  setEntryStatus,
  updateEntry,
} from './entry-repository.ts';
import { findParameterFaults } from './parameters.ts';

export interface EntryDeps {
  tenancy: Tenancy;
  clock: { now(): Date };
  project: ProjectDeps;
}
/** A lens, and the warehouse in which its SQL must run. */
interface LensTarget {
  liveLens: ServedLens;
  warehouse: Warehouse;
}
/** Entry ids that would collide with the routes under /certified. */
const RESERVED_IDS = new Set(['search', 'check']);

export const listCertified = (
  deps: { tenancy: Tenancy },
  orgId: string,
  { lensId }: ServedLens,
  filter: { status?: string | undefined },
  page: { limit: number | null; after: string | null },
): Promise<StoredEntry[]> => deps.tenancy.inTenant(orgId, (db) => listEntries(db, lensId, filter, page));

export async function getEntry(
  deps: { tenancy: Tenancy },
  orgId: string,
  liveLens: ServedLens,
  certId: string,
): Promise<StoredEntry> {
  const entry = await deps.tenancy.inTenant(orgId, (db) => findEntry(db, liveLens.lensId, certId));
  if (!entry) throw noSuchEntryProblem(liveLens, certId);
  return entry;
}

export async function createCertified(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  entryInput: EntryText & { certId?: string | undefined },
): Promise<StoredEntry> {
  const { certId: requestedId, ...text } = entryInput;
  const certId = requestedId ?? slugOf(entryInput.question);
  if (RESERVED_IDS.has(certId))
    throw new Problem('invalid', `“${certId}” is reserved and can’t be an entry id. Choose another.`, {
      param: 'cert_id',
    });
  checkPlaceholders(text);
  await requireRunnableSql(liveLens, text, warehouse);
  return runAudited(deps, actor, async (db) => {
    if (!(await insertEntry(db, liveLens.lensId, certId, text)))
      throw new Problem(
        'conflict',
        `Lens ${liveLens.name} already has a certified entry “${certId}”. Change that entry, or choose another cert_id.`,
        { param: 'cert_id' },
      );
    const entry = (await findEntry(db, liveLens.lensId, certId))!;
    return {
      result: entry,
      action: 'certified.create',
      objectId: `${liveLens.name}/${certId}`,
      after: auditView(entry),
    };
  });
}

/**
 * svc serves only what a person approved, so an entry becomes a draft again if its question, SQL or a parameter
 * changes.
 */
export async function changeCertified(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  { id: certId, ifMatch }: EditTarget,
  change: Partial<EntryText>,
): Promise<StoredEntry> {
  const storedEntry = await getEntry(deps, actor.orgId, liveLens, certId);
  refuseStale(ifMatch, entryRevision(storedEntry));
  const text: EntryText = { ...storedEntry, ...change };
  checkPlaceholders(text);
  const isRewritten = (['question', 'alsoAsked', 'sql', 'parameters'] as const).some(
    (part) => JSON.stringify(text[part]) !== JSON.stringify(storedEntry[part]),
  );
  if (isRewritten) await requireRunnableSql(liveLens, text, warehouse);
  const status = isRewritten ? 'draft' : storedEntry.status;
  const isFileEntry = storedEntry.origin === 'file';
  if (isFileEntry && (isRewritten || text.notes !== storedEntry.notes))
    await editEntryFile(
      deps,
      actor,
      storedEntry,
      { ...entryMembers(text), ...(isRewritten && { status }) },
      `Change certified entry ${certId}`,
    );
  return runAudited(deps, actor, async (db) => {
    // The entry must not have changed since it was read above, because svc merged the change into that version and
    // tested its SQL.
    if (!isFileEntry) await requireUnchanged(db, liveLens, storedEntry, entryRevision(storedEntry));
    // Updates the stored entry even if it comes from a file, because the file doesn't contain the invariants.
    await updateEntry(db, liveLens.lensId, certId, text, status);
    const changedEntry = (await findEntry(db, liveLens.lensId, certId))!;
    return {
      result: changedEntry,
      action: 'certified.update',
      objectId: `${liveLens.name}/${certId}`,
      before: auditView(storedEntry),
      after: auditView(changedEntry),
    };
  });
}

export async function approveCertified(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  { id: certId, ifMatch }: EditTarget,
  approvedBy: string,
): Promise<StoredEntry> {
  const storedEntry = await getEntry(deps, actor.orgId, liveLens, certId);
  refuseStale(ifMatch, entryRevision(storedEntry));
  await requireRunnableSql(liveLens, storedEntry, warehouse);
  const approvedAt = deps.clock.now().toISOString();
  if (storedEntry.origin === 'file') {
    const approval = { status: undefined, approved_by: approvedBy, approved_at: approvedAt };
    await editEntryFile(deps, actor, storedEntry, approval, `Approve certified entry ${certId}`);
    return runStatusChange(
      deps,
      actor,
      { liveLens: liveLens, currentEntry: storedEntry },
      'certified.approve',
      async () => undefined,
    );
  }
  return runStatusChange(
    deps,
    actor,
    { liveLens: liveLens, currentEntry: storedEntry },
    'certified.approve',
    async (db) => {
      // Approves only the version that was checked above, even without If-Match.
      await requireUnchanged(db, liveLens, storedEntry, entryRevision(storedEntry));
      await setEntryStatus(db, liveLens.lensId, certId, { status: 'approved', reason: null, approvedBy, approvedAt });
    },
  );
}

export async function retireCertified(
  deps: EntryDeps,
  actor: Actor,
  liveLens: ServedLens,
  { id: certId, ifMatch }: EditTarget,
  reason: string | null,
): Promise<StoredEntry> {
  const storedEntry = await getEntry(deps, actor.orgId, liveLens, certId);
  refuseStale(ifMatch, entryRevision(storedEntry));
  if (storedEntry.origin === 'file')
    await editEntryFile(deps, actor, storedEntry, { status: 'retired' }, reason ?? `Retire certified entry ${certId}`);
  return runStatusChange(
    deps,
    actor,
    { liveLens: liveLens, currentEntry: storedEntry },
    'certified.retire',
    async (db) => {
      if (storedEntry.origin === 'file')
        return reason === null ? undefined : saveStatusReason(db, liveLens.lensId, certId, reason);
      await requireUnchanged(db, liveLens, storedEntry, ifMatch);
      await setEntryStatus(db, liveLens.lensId, certId, { status: 'retired', reason });
    },
  );
}

export async function deleteCertified(
  deps: EntryDeps,
  actor: Actor,
  liveLens: ServedLens,
  { id: certId, ifMatch }: EditTarget,
): Promise<void> {
  const storedEntry = await getEntry(deps, actor.orgId, liveLens, certId);
  refuseStale(ifMatch, entryRevision(storedEntry));
  if (storedEntry.origin === 'file')
    await editEntryFile(deps, actor, storedEntry, null, `Delete certified entry ${certId}`);
  await runAudited(deps, actor, async (db) => {
    if (storedEntry.origin !== 'file') await requireUnchanged(db, liveLens, storedEntry, ifMatch);
    await deleteEntry(db, liveLens.lensId, certId);
    return {
      result: null,
      action: 'certified.delete',
      objectId: `${liveLens.name}/${certId}`,
      before: auditView(storedEntry),
    };
  });
}

/**
 * Identifies the content and status of an entry, on which a person's decision is based. The results of checks don't
 * change this revision.
 */
export const entryRevision = ({
  question,
  alsoAsked,
  sql,
  parameters,
  notes,
  invariants,
  status,
}: StoredEntry): string => revisionOf([question, alsoAsked, sql, parameters, notes, invariants, status]);

const requireUnchanged = (
  db: TenantClient,
  liveLens: ServedLens,
  { certId }: StoredEntry,
  ifMatch: string | null = null,
): Promise<StoredEntry> =>
  readForEdit(
    db,
    'certified',
    ifMatch,
    async () => {
      const entry = await findEntry(db, liveLens.lensId, certId);
      if (!entry) throw noSuchEntryProblem(liveLens, certId);
      return entry;
    },
    entryRevision,
  );

function runStatusChange(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, currentEntry }: { liveLens: ServedLens; currentEntry: StoredEntry },
  action: string,
  writeStatus: (db: TenantClient) => Promise<void>,
): Promise<StoredEntry> {
  return runAudited(deps, actor, async (db) => {
    await writeStatus(db);
    const changedEntry = (await findEntry(db, liveLens.lensId, currentEntry.certId))!;
    return {
      result: changedEntry,
      action,
      objectKind: 'certified',
      objectId: `${liveLens.name}/${currentEntry.certId}`,
      before: auditView(currentEntry),
      after: auditView(changedEntry),
    };
  });
}

async function requireRunnableSql(
  liveLens: ServedLens,
  text: Pick<EntryText, 'sql' | 'parameters'>,
  warehouse: Warehouse,
): Promise<void> {
  const fault = await findCertifiedFault(liveLens.lens, text, warehouse);
  if (fault)
    throw new Problem('invalid', `The SQL can't be certified: ${fault}`, {
      param: 'sql',
      details: [{ path: 'sql', code: 'certified_sql', message: fault }],
    });
}

function checkPlaceholders(text: EntryText): void {
  const details = findParameterFaults(text).map(({ at: [member, part], code, message }) => ({
    path: typeof part === 'number' ? `${member}[${part}]` : [member, part].filter(Boolean).join('.'),
    code,
    message,
  }));
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
}

const noSuchEntryProblem = (liveLens: ServedLens, certId: string): Problem =>
  new Problem(
    'not_found',
    `Lens ${liveLens.name} has no certified entry “${certId}”. GET /mgmt/lenses/${liveLens.name}/certified lists them.`,
    { param: 'id' },
  );

export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '') || 'entry';

const auditView = ({ question, sql, status, alsoAsked, approvedBy, revision }: StoredEntry) => ({
  question,
  sql,
  status,
  also_asked: alsoAsked,
  approved_by: approvedBy,
  revision,
});
