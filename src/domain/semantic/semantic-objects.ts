// Edits of file-based objects go to their files.
import type { DefinitionFile } from '../../contract/files/lens-file.ts';
import { findSenseKeyFaults } from '../../lens/files/definition-faults.ts';
import { Problem } from '../../platform/problem.ts';
import { type EditTarget, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, type AuditEntry, runAudited } from '../audit/audit-log.ts';
import type { LiveLenses } from '../lenses/lens-repository.ts';
import { editProjectFile } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { SEMANTIC_FILE_PATHS } from '../project/project-state.ts';
import * as repository from './semantic-repository.ts';

type SemanticKind = repository.SemanticRow['kind'];
export type SemanticObjectWithUsage = repository.SemanticRow & { usedBy: string[] };
interface SemanticDeps {
  tenancy: Tenancy;
}
type SemanticEditDeps = SemanticDeps & { project: ProjectDeps };
const LIST_ROUTES: Record<SemanticKind, string> = {
  entity: 'GET /mgmt/semantic/entities',
  definition: 'GET /mgmt/semantic/definitions',
};

export function listSemanticObjects(
  deps: SemanticDeps,
  orgId: string,
  kind: SemanticKind,
  page: RowPage,
): Promise<SemanticObjectWithUsage[]> {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const rows = await repository.listSemanticObjects(db, kind, page);
    const lenses = await repository.readLiveLensFiles(db);
    return rows.map((row) => withUsingLenses(row, lenses));
  });
}

export function createSemanticObject(
  deps: SemanticDeps,
  actor: Actor,
  kind: SemanticKind,
  name: string,
  body: object,
): Promise<SemanticObjectWithUsage> {
  requireValidSenses(kind, body);
  return runAudited(deps, actor, async (db) => {
    const insertedRow = await repository.insertSemanticObject(db, kind, name, body);
    if (!insertedRow)
      throw new Problem(
        'conflict',
        `There is already a shared ${kind} "${name}". Change that ${kind}, or use another name.`,
      );
    return {
      result: { ...insertedRow, usedBy: [] },
      action: `${kind}.create`,
      objectId: insertedRow.id,
      after: insertedRow.body,
    };
  });
}

export async function changeSemanticObject(
  deps: SemanticEditDeps,
  actor: Actor,
  kind: SemanticKind,
  target: EditTarget,
  body: object,
): Promise<SemanticObjectWithUsage> {
  const fileRow = await findFileRow(deps, actor, kind, target);
  if (fileRow) {
    requireValidSenses(kind, body);
    await editSemanticFile(deps, actor, fileRow, toFullBody(fileRow, body));
  }
  return runAudited(deps, actor, (db) => updateSemanticRow(db, kind, target, body, fileRow));
}

/** Null if the object was created through the API. */
const findFileRow = (
  deps: SemanticDeps,
  actor: Actor,
  kind: SemanticKind,
  target: EditTarget,
): Promise<repository.SemanticRow | null> =>
  deps.tenancy.inTenant(actor.orgId, async (db) => {
    const row = await requireEditableSemanticObject(db, kind, target);
    return row.origin === 'file' ? row : null;
  });

const toFullBody = ({ kind, name }: repository.SemanticRow, body: object): Record<string, unknown> =>
  kind === 'definition' ? { ...body, term: name } : { ...body };

/** The caller writes the audit row. `fileRow` is the previous row of an object whose file has already changed. */
export async function updateSemanticRow(
  db: TenantClient,
  kind: SemanticKind,
  target: EditTarget,
  body: object,
  fileRow: repository.SemanticRow | null = null,
): Promise<AuditEntry & { result: SemanticObjectWithUsage }> {
  requireValidSenses(kind, body);
  const previousRow = fileRow ?? (await requireEditableSemanticObject(db, kind, target));
  const changedRow = fileRow
    ? (await repository.findSemanticObject(db, kind, fileRow.name))!
    : await repository.updateSemanticObject(db, previousRow.id, toFullBody(previousRow, body));
  return {
    result: withUsingLenses(changedRow, await repository.readLiveLensFiles(db)),
    ...{ action: `${kind}.change`, objectId: previousRow.id, before: previousRow.body, after: changedRow.body },
  };
}

export async function deleteSemanticObject(
  deps: SemanticEditDeps,
  actor: Actor,
  kind: SemanticKind,
  target: EditTarget,
): Promise<void> {
  const fileRow = await findFileRow(deps, actor, kind, target);
  if (fileRow) await editSemanticFile(deps, actor, fileRow, null);
  return runAudited(deps, actor, async (db) => {
    const deletedRow = fileRow ?? (await requireEditableSemanticObject(db, kind, target));
    const { usedBy } = withUsingLenses(deletedRow, await repository.readLiveLensFiles(db));
    if (!fileRow && kind === 'entity' && usedBy.length > 0)
      throw new Problem(
        'conflict',
        `Entity "${deletedRow.name}" is used by ${usedBy.join(', ')}. Change these lenses first.`,
      );
    if (!fileRow) await repository.deleteSemanticObject(db, deletedRow.id);
    return {
      result: undefined,
      action: `${kind}.delete`,
      objectId: deletedRow.id,
      before: deletedRow.body,
    };
  });
}

function requireValidSenses(kind: SemanticKind, body: Partial<DefinitionFile>): void {
  if (kind !== 'definition') return;
  const [repeatedSense] = findSenseKeyFaults({ term: body.term ?? 'the term', ...body });
  if (repeatedSense) throw new Problem('invalid', repeatedSense.message, { param: repeatedSense.at.join('.') });
  if (!body.meaning && !body.senses)
    throw new Problem('invalid', 'A definition needs a meaning, or senses that each have a meaning.', {
      param: 'meaning',
      details: [{ path: 'meaning', code: 'missing', message: 'Give a meaning or senses.' }],
    });
}

async function requireEditableSemanticObject(
  db: TenantClient,
  kind: SemanticKind,
  { id, ifMatch }: EditTarget,
): Promise<repository.SemanticRow> {
  const readRow = async () => {
    const row = await repository.findSemanticObject(db, kind, id);
    if (!row)
      throw new Problem('not_found', `There is no shared ${kind} “${id}”. ${LIST_ROUTES[kind]} lists the names.`);
    return row;
  };
  return readForEdit(db, kind, ifMatch, readRow, ({ updatedAt }) => updatedAt);
}

function withUsingLenses(row: repository.SemanticRow, lenses: repository.LensText[]): SemanticObjectWithUsage {
  const isUsedBy = (lens: repository.LensText): boolean =>
    row.kind === 'entity'
      ? new RegExp(`\\bentity:\\s*["']?${row.name}\\b`).test(lens.text)
      : lens.terms.includes(row.name);
  return { ...row, usedBy: lenses.filter(isUsedBy).map(({ name }) => name) };
}

/** A null body removes the object from the file. */
async function editSemanticFile(
  deps: { project: ProjectDeps },
  actor: Actor,
  { kind, name, body: before }: repository.SemanticRow,
  body: Record<string, unknown> | null,
): Promise<void> {
  const path = SEMANTIC_FILE_PATHS[kind];
  const removedMembers = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]));
  const edit =
    kind === 'entity'
      ? { at: ['entities', name], members: body }
      : { is: { term: name }, members: body && { ...removedMembers, ...body } };
  await editProjectFile(deps.project, actor, path, edit, {
    message: `${body === null ? 'Delete' : 'Change'} ${kind} ${name}`,
    lostMessage: `The ${kind} "${name}" was just removed from ${path}. ${LIST_ROUTES[kind]} lists the others.`,
  });
}

/** A published lens also uses shared terms that are added after its publication. */
export async function createUsageFinder(
  deps: { lenses: Pick<LiveLenses, 'list'> },
  orgId: string,
): Promise<(row: SemanticObjectWithUsage) => SemanticObjectWithUsage> {
  const liveLenses = await deps.lenses.list(orgId, null);
  return (row) => {
    const usingLenses = liveLenses.filter(({ lens }) => lens.definitions.some(({ term }) => term === row.name));
    return { ...row, usedBy: usingLenses.map(({ name }) => name) };
  };
}
