// Proposing, changing, approving and retiring entries. Files own theirs: those are refused here, naming the file.
import { Problem } from '../../platform/problem.ts';
import { readForEdit, refuseStale, revisionOf } from '../../platform/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenant.ts';
import { type Actor, audited } from '../audit/audited.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { certifiedFault } from './check-certified.ts';
import {
  deleteEntry,
  type EntryText,
  findEntry,
  insertEntry,
  type StoredEntry,
  setEntryStatus,
  updateEntry,
} from './entry-repository.ts';

interface KeepDeps {
  tenancy: Tenancy;
  clock: { now(): Date };
}
/** Paths of their own below /certified. */
const RESERVED = new Set(['search', 'check']);

export async function getEntry(
  deps: { tenancy: Tenancy },
  orgId: string,
  served: ServedLens,
  certId: string,
): Promise<StoredEntry> {
  const found = await deps.tenancy.inTenant(orgId, (db) => findEntry(db, served.lensId, certId));
  if (!found) throw unknownEntry(served, certId);
  return found;
}

export async function createCertified(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  warehouse: Warehouse,
  given: EntryText & { certId?: string | undefined },
): Promise<StoredEntry> {
  const { certId: wanted, ...text } = given;
  const certId = wanted ?? slugOf(given.question);
  if (RESERVED.has(certId))
    throw new Problem('invalid', `“${certId}” can't be the id of an entry. Take another.`, { param: 'cert_id' });
  checkPlaces(text);
  await demandRuns(served, text, warehouse);
  return audited(deps, actor, async (db) => {
    if (!(await insertEntry(db, served.lensId, certId, text)))
      throw new Problem(
        'conflict',
        `Lens ${served.name} has a certified entry “${certId}” already. Change that one, or take another cert_id.`,
        { param: 'cert_id' },
      );
    const made = (await findEntry(db, served.lensId, certId))!;
    return {
      result: made,
      action: 'certified.create',
      objectKind: 'certified',
      objectId: `${served.name}/${certId}`,
      after: auditView(made),
    };
  });
}

/** What was approved is what is served: a changed question, SQL or parameter makes it a draft again. */
export async function changeCertified(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  warehouse: Warehouse,
  certId: string,
  change: Partial<EntryText>,
  ifMatch: string | null = null,
): Promise<StoredEntry> {
  const known = await getEntry(deps, actor.orgId, served, certId);
  refuseFile(known);
  refuseStale(ifMatch, entryRevision(known));
  const text: EntryText = { ...known, ...change };
  checkPlaces(text);
  const rewritten = (['question', 'alsoAsked', 'sql', 'parameters'] as const).some(
    (part) => JSON.stringify(text[part]) !== JSON.stringify(known[part]),
  );
  if (rewritten) await demandRuns(served, text, warehouse);
  return audited(deps, actor, async (db) => {
    // The change was merged into what was read, and its SQL tried.
    await unchanged(db, served, known, entryRevision(known));
    await updateEntry(db, served.lensId, certId, text, rewritten ? 'draft' : known.status);
    const made = (await findEntry(db, served.lensId, certId))!;
    return {
      result: made,
      action: 'certified.update',
      objectKind: 'certified',
      objectId: `${served.name}/${certId}`,
      before: auditView(known),
      after: auditView(made),
    };
  });
}

export async function approveCertified(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  warehouse: Warehouse,
  certId: string,
  approvedBy: string,
  ifMatch: string | null = null,
): Promise<StoredEntry> {
  const known = await getEntry(deps, actor.orgId, served, certId);
  refuseFile(known, 'To have it approved again, change its `approved_at` there and apply.');
  refuseStale(ifMatch, entryRevision(known));
  await demandRuns(served, known, warehouse);
  const approvedAt = deps.clock.now().toISOString();
  return move(deps, actor, served, known, 'certified.approve', async (db) => {
    // What was looked at is what is approved, whoever sent no If-Match included.
    await unchanged(db, served, known, entryRevision(known));
    await setEntryStatus(db, served.lensId, certId, { status: 'approved', reason: null, approvedBy, approvedAt });
  });
}

export async function retireCertified(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  certId: string,
  reason: string | null,
  ifMatch: string | null = null,
): Promise<StoredEntry> {
  const known = await getEntry(deps, actor.orgId, served, certId);
  refuseFile(known, 'Remove it there, or give it `status: retired`, and apply.');
  return move(deps, actor, served, known, 'certified.retire', async (db) => {
    await unchanged(db, served, known, ifMatch);
    await setEntryStatus(db, served.lensId, certId, { status: 'retired', reason });
  });
}

export async function deleteCertified(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  certId: string,
  ifMatch: string | null = null,
): Promise<void> {
  const known = await getEntry(deps, actor.orgId, served, certId);
  refuseFile(known);
  await audited(deps, actor, async (db) => {
    await unchanged(db, served, known, ifMatch);
    await deleteEntry(db, served.lensId, certId);
    return {
      result: null,
      action: 'certified.delete',
      objectKind: 'certified',
      objectId: `${served.name}/${certId}`,
      before: auditView(known),
    };
  });
}

/** What a person decides on: text and status. Checks and runs of it go on beside. */
export const entryRevision = ({
  question,
  alsoAsked,
  sql,
  parameters,
  notes,
  invariants,
  status,
}: StoredEntry): string => revisionOf([question, alsoAsked, sql, parameters, notes, invariants, status]);

const unchanged = (
  db: TenantClient,
  served: ServedLens,
  { certId }: StoredEntry,
  ifMatch: string | null = null,
): Promise<StoredEntry> =>
  readForEdit(
    db,
    'certified',
    ifMatch,
    async () => {
      const found = await findEntry(db, served.lensId, certId);
      if (!found) throw unknownEntry(served, certId);
      return found;
    },
    entryRevision,
  );

function move(
  deps: KeepDeps,
  actor: Actor,
  served: ServedLens,
  known: StoredEntry,
  action: string,
  work: (db: TenantClient) => Promise<void>,
): Promise<StoredEntry> {
  return audited(deps, actor, async (db) => {
    await work(db);
    const after = (await findEntry(db, served.lensId, known.certId))!;
    return {
      result: after,
      action,
      objectKind: 'certified',
      objectId: `${served.name}/${known.certId}`,
      before: auditView(known),
      after: auditView(after),
    };
  });
}

async function demandRuns(
  served: ServedLens,
  text: Pick<EntryText, 'sql' | 'parameters'>,
  warehouse: Warehouse,
): Promise<void> {
  const fault = await certifiedFault(served.lens, text, warehouse);
  if (fault)
    throw new Problem('invalid', `The SQL can't be certified: ${fault}`, {
      param: 'sql',
      details: [{ path: 'sql', code: 'certified_sql', message: fault }],
    });
}

function checkPlaces({ question, alsoAsked, parameters }: EntryText): void {
  const details = [question, ...alsoAsked].flatMap((phrase, at) =>
    [...phrase.matchAll(/\{([a-z_][a-z0-9_]*)\}/gi)]
      .filter(([, name]) => !Object.hasOwn(parameters, name!))
      .map(([, name]) => ({
        path: at === 0 ? 'question' : `also_asked[${at - 1}]`,
        code: 'unknown_parameter',
        message: `{${name}} is no parameter of this entry. Declare it in parameters.`,
      })),
  );
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
}

function refuseFile({ origin, path, certId }: StoredEntry, next = 'Change it there and apply.'): void {
  if (origin === 'file')
    throw new Problem('conflict', `Certified entry ${certId} comes from the file ${path}. ${next}`);
}

const unknownEntry = (served: ServedLens, certId: string): Problem =>
  new Problem(
    'not_found',
    `Lens ${served.name} has no certified entry “${certId}”. GET /mgmt/lenses/${served.name}/certified lists them.`,
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
