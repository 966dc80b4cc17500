import type { CertifiedParameter } from '../../lens/model/lens.ts';
import { createId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import { computeRevision, type EditTarget, readForEdit, refuseStale } from '../../platform/tenancy/revision.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { editProjectFile } from '../project/edit-project.ts';
import type { YamlMembers } from '../project/files/rewrite-yaml.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { findEntry, type Invariants, listEntries, type StoredEntry, setEntryStatus } from './entry-repository.ts';
import { findCertifiedFault } from './guard-entry.ts';
import { findParameterFaults } from './parameters.ts';

export interface EntryDeps {
  tenancy: Tenancy;
  clock: { now(): Date };
  project: ProjectDeps;
}
export interface LensTarget {
  liveLens: LiveLens;
  warehouse: Warehouse;
}
export interface EntryText {
  question: string;
  alsoAsked: string[];
  sql: string;
  parameters: Record<string, CertifiedParameter>;
  notes: string | null;
  invariants: Invariants | null;
}
/** Entry ids that would collide with the routes under /certified. */
const RESERVED_IDS = new Set(['search', 'check']);

export const listCertifiedEntries = withOwnTransaction(
  (
    db,
    { lensId }: LiveLens,
    filter: { status?: string | undefined },
    page: { limit: number | null; after: string | null },
  ): Promise<StoredEntry[]> => listEntries(db, lensId, filter, page),
);

async function requireEntry(db: TenantClient, { lensId, name }: LiveLens, certId: string): Promise<StoredEntry> {
  const noSuchEntry = `Lens ${name} has no certified entry “${certId}”. GET /mgmt/lenses/${name}/certified lists the entries.`;
  return requireFound(await findEntry(db, lensId, certId), noSuchEntry, 'id');
}
export const getEntry = withOwnTransaction(requireEntry);

export async function createCertifiedEntry(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  entryInput: EntryText & { certId?: string | undefined },
): Promise<StoredEntry> {
  const { certId: requestedId, ...text } = entryInput;
  const certId = requestedId ?? toSlug(entryInput.question);
  if (RESERVED_IDS.has(certId))
    throw new Problem('invalid', `“${certId}” is reserved and can’t be an entry id. Choose another.`, {
      param: 'cert_id',
    });
  requireValidPlaceholders(text);
  await requireRunnableSql(liveLens, text, warehouse);
  return saveEntryWithAudit(deps, actor, { liveLens, certId, before: null }, 'certified.create', async (db) => {
    const { alsoAsked: also_asked, ...columns } = text;
    const row = { id: createId(), lens_id: liveLens.lensId, cert_id: certId, also_asked, ...columns };
    const conflict = 'on conflict (org_id, lens_id, cert_id) do nothing';
    if ((await insertRows(db, 'certified_entries', [{ ...row, status: 'draft', origin: 'api' }], conflict)) === 0)
      throw new Problem(
        'conflict',
        `Lens ${liveLens.name} already has a certified entry “${certId}”. Change that entry, or choose another cert_id.`,
        { param: 'cert_id' },
      );
  });
}

/** svc serves only approved content, so an entry becomes a draft again if its question, SQL or a parameter changes. */
export async function changeCertifiedEntry(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  target: EditTarget,
  change: Partial<EntryText>,
): Promise<StoredEntry> {
  const before = await readEditableEntry(deps, actor, liveLens, target);
  const { certId, origin } = before;
  const text: EntryText = { ...before, ...change };
  requireValidPlaceholders(text);
  const isRewritten = (['question', 'alsoAsked', 'sql', 'parameters'] as const).some(
    (part) => JSON.stringify(text[part]) !== JSON.stringify(before[part]),
  );
  if (isRewritten) await requireRunnableSql(liveLens, text, warehouse);
  const status = isRewritten ? 'draft' : before.status;
  if (origin === 'file' && (isRewritten || text.notes !== before.notes)) {
    const members = { ...toFileMembers(text), ...(isRewritten && { status }) };
    await editEntryFile(deps, actor, before, members, `Change certified entry ${certId}`);
  }
  return saveEntryWithAudit(deps, actor, { liveLens, certId, before }, 'certified.update', async (db) => {
    // The stored entry must still be the version whose SQL svc tested.
    if (origin === 'api') await requireUnchanged(db, liveLens, before);
    // Also stores the text of a file-based entry, because the file doesn't contain the invariants.
    const { question, alsoAsked, sql, parameters, notes, invariants } = text;
    await db.run(
      `update svc.certified_entries set question = $3, also_asked = $4, sql = $5, parameters = $6, notes = $7, invariants = $8, status = $9,
         suspended_for = case when $9 = 'suspended' then suspended_for end, revision = revision + 1, dependencies = null, updated_at = now() where lens_id = $1 and cert_id = $2`,
      [
        ...[liveLens.lensId, certId, question, alsoAsked, sql, JSON.stringify(parameters), notes],
        ...[invariants && JSON.stringify(invariants), status],
      ],
    );
  });
}

export async function approveCertifiedEntry(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, warehouse }: LensTarget,
  target: EditTarget,
  approvedBy: string,
): Promise<StoredEntry> {
  const before = await readEditableEntry(deps, actor, liveLens, target);
  const { certId, origin } = before;
  await requireRunnableSql(liveLens, before, warehouse);
  const approvedAt = deps.clock.now().toISOString();
  if (origin === 'file') {
    const approval = { status: undefined, approved_by: approvedBy, approved_at: approvedAt };
    await editEntryFile(deps, actor, before, approval, `Approve certified entry ${certId}`);
  }
  return saveEntryWithAudit(deps, actor, { liveLens, certId, before }, 'certified.approve', async (db) => {
    if (origin === 'file') return;
    // Approves only the version that svc has checked, even without If-Match.
    await requireUnchanged(db, liveLens, before);
    await setEntryStatus(db, liveLens.lensId, certId, { status: 'approved', reason: null, approvedBy, approvedAt });
  });
}

export async function retireCertifiedEntry(
  deps: EntryDeps,
  actor: Actor,
  liveLens: LiveLens,
  target: EditTarget,
  reason: string | null,
): Promise<StoredEntry> {
  const before = await readEditableEntry(deps, actor, liveLens, target);
  const { certId, origin } = before;
  if (origin === 'file')
    await editEntryFile(deps, actor, before, { status: 'retired' }, reason ?? `Retire certified entry ${certId}`);
  return saveEntryWithAudit(deps, actor, { liveLens, certId, before }, 'certified.retire', async (db) => {
    if (origin === 'api') {
      await requireUnchanged(db, liveLens, before, target.ifMatch);
      await setEntryStatus(db, liveLens.lensId, certId, { status: 'retired', reason });
    } else if (reason !== null) {
      // Only the database stores the reason, because the file of an entry has no member for it.
      const sql = 'update svc.certified_entries set status_reason = $3 where lens_id = $1 and cert_id = $2';
      await db.run(sql, [liveLens.lensId, certId, reason]);
    }
  });
}

export async function deleteCertifiedEntry(
  deps: EntryDeps,
  actor: Actor,
  liveLens: LiveLens,
  target: EditTarget,
): Promise<void> {
  const before = await readEditableEntry(deps, actor, liveLens, target);
  const { certId, origin } = before;
  if (origin === 'file') await editEntryFile(deps, actor, before, null, `Delete certified entry ${certId}`);
  await runAudited(deps, actor, async (db) => {
    if (origin === 'api') await requireUnchanged(db, liveLens, before, target.ifMatch);
    const sql = 'delete from svc.certified_entries where lens_id = $1 and cert_id = $2';
    await db.run(sql, [liveLens.lensId, certId]);
    const objectId = `${liveLens.name}/${certId}`;
    return { result: null, action: 'certified.delete', objectId, before: toAuditView(before) };
  });
}

/** The revision covers what a person decides on: the content and status of the entry, but no results of checks. */
export const hashEntryRevision = ({
  question,
  alsoAsked,
  sql,
  parameters,
  notes,
  invariants,
  status,
}: StoredEntry): string => computeRevision([question, alsoAsked, sql, parameters, notes, invariants, status]);

const requireUnchanged = (
  db: TenantClient,
  liveLens: LiveLens,
  entry: StoredEntry,
  ifMatch: string | null = hashEntryRevision(entry),
): Promise<StoredEntry> =>
  readForEdit(db, 'certified', ifMatch, () => requireEntry(db, liveLens, entry.certId), hashEntryRevision);

async function readEditableEntry(
  deps: EntryDeps,
  actor: Actor,
  liveLens: LiveLens,
  { id, ifMatch }: EditTarget,
): Promise<StoredEntry> {
  const entry = await getEntry(deps, actor.orgId, liveLens, id);
  refuseStale(ifMatch, hashEntryRevision(entry));
  return entry;
}

/** Throws `conflict` if the entry in the file differs from the entry that the caller saw. */
const editEntryFile = (
  deps: EntryDeps,
  actor: Actor,
  { path, certId, question, sql }: StoredEntry,
  members: YamlMembers,
  message: string,
): Promise<void> => {
  const lostMessage = `Certified entry ${certId} was just changed in ${path} by someone else. Read it again, then repeat your edit.`;
  const edit = { is: { id: certId, question, sql }, members };
  return editProjectFile(deps.project, actor, path!, edit, { message, lostMessage });
};

const toFileMembers = ({ question, alsoAsked, sql, parameters, notes }: EntryText): Record<string, unknown> => ({
  question,
  also_asked: alsoAsked.length > 0 ? alsoAsked : undefined,
  sql,
  parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
  notes: notes ?? undefined,
});

function saveEntryWithAudit(
  deps: EntryDeps,
  actor: Actor,
  { liveLens, certId, before }: { liveLens: LiveLens; certId: string; before: StoredEntry | null },
  action: string,
  write: (db: TenantClient) => Promise<void>,
): Promise<StoredEntry> {
  return runAudited(deps, actor, async (db) => {
    await write(db);
    const entry = await requireEntry(db, liveLens, certId);
    const [objectId, auditedBefore] = [`${liveLens.name}/${certId}`, before && toAuditView(before)];
    return { result: entry, action, objectId, before: auditedBefore, after: toAuditView(entry) };
  });
}

async function requireRunnableSql(
  liveLens: LiveLens,
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

function requireValidPlaceholders(text: EntryText): void {
  const details = findParameterFaults(text).map(({ at: [member, part], code, message }) => ({
    path: typeof part === 'number' ? `${member}[${part}]` : [member, part].filter(Boolean).join('.'),
    code,
    message,
  }));
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
}

export const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '') || 'entry';

const toAuditView = ({ question, sql, status, alsoAsked, approvedBy, revision }: StoredEntry) => ({
  question,
  sql,
  status,
  also_asked: alsoAsked,
  approved_by: approvedBy,
  revision,
});
