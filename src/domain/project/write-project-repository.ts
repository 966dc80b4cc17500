// Writes a whole project with a few statements, for any number of lenses. No lock blocks readers until the commit.
import { createId } from '../../platform/ids.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import { insertRows, upsertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { writeFileBoards } from '../boards/file-boards.ts';
import { sealSecrets } from '../connections/connection-secrets.ts';
import { isSameCorpusEntry } from './list-changes.ts';
import type { PreparedProject } from './project-deps.ts';
import {
  type DeployedState,
  type DesiredEntry,
  type DesiredState,
  type FileEdits,
  type ProjectChange,
  type ProjectChangeKind,
  type StoredCorpusEntry,
  toCorpusKey,
  toGrantKey,
} from './project-state.ts';
import { toDictionaryRows } from './read-dictionaries.ts';

export interface ProjectToWrite {
  state: DeployedState;
  project: PreparedProject;
  changes: ProjectChange[];
  edits: FileEdits;
  actor: string;
  message: string | null;
  rolledBackTo: number | null;
  secrets: SecretKeys;
}

export async function writeProject(
  db: TenantClient,
  write: ProjectToWrite,
): Promise<{ deploymentId: string; version: number; appliedAt: Date }> {
  const { state, project, message, actor, edits, rolledBackTo: rolled_back_to } = write;
  const { desiredState } = project;
  const { contentSha256: content_sha256, files } = desiredState;
  const id = createId();
  const version = (state.deployment?.version ?? 0) + 1;
  const changes = write.changes.filter(({ action }) => action !== 'none');
  await insertRows(db, 'deployments', [
    { id, version, content_sha256, files, changes, message, actor, rolled_back_to, edits },
  ]);
  const row = await db.first<{ applied_at: Date }>('select applied_at from svc.deployments where id = $1', [id]);
  await writeConnections(db, write);
  const lensIds = await writeLenses(db, write, id);
  await writeDictionaries(db, project, lensIds);
  await writeCertifiedEntries(db, write, lensIds);
  await writeEvals(db, write, lensIds);
  await writeSemanticObjects(db, write);
  await writeGrants(db, state, desiredState);
  await writeSettings(db, desiredState);
  const changedPaths = new Set(changes.filter(({ kind }) => kind === 'board').map(({ path }) => path));
  const changedBoards = desiredState.boards.filter(({ path }) => changedPaths.has(path));
  const removedPaths = changes.filter(({ kind, action }) => kind === 'board' && action === 'delete');
  await writeFileBoards(
    db,
    changedBoards,
    removedPaths.map(({ path }) => path),
  );
  return { deploymentId: id, version, appliedAt: row!.applied_at };
}

const listRemovedNames = ({ changes }: ProjectToWrite, removedKind: ProjectChangeKind): string[] =>
  changes.filter(({ kind, action }) => kind === removedKind && action === 'delete').map(({ name }) => name);

async function writeConnections(db: TenantClient, write: ProjectToWrite): Promise<void> {
  const rows = write.project.desiredState.connections
    .filter(({ changed }) => changed)
    .map(({ name, config, fromOperator: from_operator }) => ({
      ...{ id: createId(), name, kind: config.kind, origin: 'file', active: true, from_operator },
      config: sealSecrets(write.secrets, { orgId: db.orgId, name }, config),
    }));
  await upsertRows(db, 'connections', ['name'], rows, ', revision = connections.revision + 1, updated_at = now()');
  await db.run(
    `update svc.connections set active = false, revision = revision + 1, updated_at = now() where name = any($1)`,
    [listRemovedNames(write, 'connection')],
  );
}

async function writeLenses(
  db: TenantClient,
  write: ProjectToWrite,
  deploymentId: string,
): Promise<Map<string, string>> {
  const storedByName = new Map(write.state.lenses.map((lens) => [lens.name, lens]));
  const rows = write.project.desiredState.lenses.map(({ name, sourceSha256, compiled, files }) => {
    const stored = storedByName.get(name);
    const newVersion = compiled !== null && compiled.contentSha256 !== stored?.contentSha256 ? compiled : null;
    const version = newVersion ? (stored?.lastVersion ?? 0) + 1 : stored!.activeVersion!;
    const isChanged = newVersion !== null || stored?.sourceSha256 !== sourceSha256 || stored?.origin !== 'file';
    return { id: stored?.id ?? createId(), name, sourceSha256, files, newVersion, version, isChanged };
  });
  const changedRows = rows.filter(({ isChanged }) => isChanged);
  await upsertRows(
    db,
    'lenses',
    ['name'],
    changedRows.map(({ id, name, sourceSha256: source_sha256 }) => ({ id, name, origin: 'file', source_sha256 })),
  );
  const publication = { deployment_id: deploymentId, created_by: write.actor };
  const versions = rows.flatMap(({ id: lens_id, version, newVersion, files }) => {
    if (!newVersion) return [];
    const { contentSha256: content_sha256, lens: compiled } = newVersion;
    return [{ lens_id, version, content_sha256, files, compiled, ...publication }];
  });
  await insertRows(db, 'lens_versions', versions);
  await db.run(
    `update svc.lenses l set active_version = r.version, updated_at = clock_timestamp()
     from jsonb_to_recordset($1) as r(id uuid, version int) where l.id = r.id`,
    [JSON.stringify(changedRows.map(({ id, version }) => ({ id, version })))],
  );
  await db.run(
    'update svc.lenses set active_version = null, source_sha256 = null, updated_at = clock_timestamp() where name = any($1)',
    [listRemovedNames(write, 'lens')],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function writeDictionaries(
  db: TenantClient,
  { desiredState, dictionaries }: PreparedProject,
  lensIds: Map<string, string>,
): Promise<void> {
  const checkedNames = desiredState.lenses.filter(({ compiled }) => compiled !== null).map(({ name }) => name);
  await db.run('delete from svc.value_dictionaries where lens_id = any($1)', [
    checkedNames.map((name) => lensIds.get(name)),
  ]);
  const rows = checkedNames.flatMap((name) => toDictionaryRows(lensIds.get(name)!, dictionaries.get(name) ?? []));
  await insertRows(db, 'value_dictionaries', rows);
}

/** Entries that become file-based count as changed. */
function selectChangedEntries(storedEntries: StoredCorpusEntry[], desiredEntries: DesiredEntry[]): DesiredEntry[] {
  const storedByKey = new Map(storedEntries.map((entry) => [toCorpusKey(entry), entry]));
  return desiredEntries.filter((entry) => {
    const storedEntry = storedByKey.get(toCorpusKey(entry));
    return storedEntry?.origin !== 'file' || !isSameCorpusEntry(storedEntry, entry);
  });
}

async function writeCertifiedEntries(
  db: TenantClient,
  write: ProjectToWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const { state, project } = write;
  await upsertRows(
    db,
    'certified_entries',
    ['lens_id', 'cert_id'],
    selectChangedEntries(state.certified, project.desiredState.certified).map(({ lens, id: cert_id, path, body }) => ({
      ...{ id: createId(), lens_id: lensIds.get(lens), cert_id, origin: 'file', path, status_reason: null, ...body },
    })),
    ', revision = certified_entries.revision + 1, updated_at = now()',
  );
  await db.run(
    `update svc.certified_entries c set status = 'retired', status_reason = 'the project files no longer contain it', revision = c.revision + 1, updated_at = now()
     from svc.lenses l where c.lens_id = l.id and l.name || '/' || c.cert_id = any($1)`,
    [listRemovedNames(write, 'certified')],
  );
}

async function writeEvals(db: TenantClient, write: ProjectToWrite, lensIds: Map<string, string>): Promise<void> {
  const { state, project } = write;
  await upsertRows(
    db,
    'evals',
    ['lens_id', 'eval_id'],
    selectChangedEntries(state.evals, project.desiredState.evals).map(({ lens, id: eval_id, path, body }) => ({
      ...{ id: createId(), lens_id: lensIds.get(lens), eval_id, origin: 'file', path, ...body },
    })),
    ', updated_at = now()',
  );
  await db.run(
    `delete from svc.evals e using svc.lenses l where e.lens_id = l.id and l.name || '/' || e.eval_id = any($1)`,
    [listRemovedNames(write, 'eval')],
  );
}

async function writeSemanticObjects(db: TenantClient, write: ProjectToWrite): Promise<void> {
  await upsertRows(
    db,
    'semantic_objects',
    ['kind', 'name'],
    write.project.desiredState.semantic.map((object) => ({ id: createId(), ...object, origin: 'file' })),
    `, updated_at = now()
      where (semantic_objects.body, semantic_objects.origin) is distinct from (excluded.body, excluded.origin)`,
  );
  for (const kind of ['entity', 'definition'] as const)
    await db.run('delete from svc.semantic_objects where kind = $1 and name = any($2)', [
      kind,
      listRemovedNames(write, kind),
    ]);
}

async function writeGrants(db: TenantClient, state: DeployedState, desiredState: DesiredState): Promise<void> {
  const [storedKeys, desiredKeys] = [
    new Set(state.grants.map(toGrantKey)),
    new Set(desiredState.grants.map(toGrantKey)),
  ];
  await db.run(
    `delete from svc.grants g using jsonb_to_recordset($1) as r(lens text, "subjectKind" text, subject text, origin text)
     where g.lens = r.lens and g.subject_kind = r."subjectKind" and g.subject = r.subject and g.origin = r.origin`,
    [JSON.stringify(state.grants.filter((grant) => !desiredKeys.has(toGrantKey(grant))))],
  );
  const addedGrants = desiredState.grants.filter((grant) => !storedKeys.has(toGrantKey(grant)));
  await insertRows(
    db,
    'grants',
    addedGrants.map(({ subjectKind: subject_kind, ...grant }) => ({ subject_kind, ...grant })),
    'on conflict do nothing',
  );
}

async function writeSettings(db: TenantClient, desiredState: DesiredState): Promise<void> {
  const rows = Object.entries(desiredState.settings).map(([name, body]) => ({ name, body, origin: 'file' }));
  await upsertRows(db, 'settings', ['name'], rows, ', updated_at = now()');
  await db.run(`delete from svc.settings where origin = 'file' and name <> all($1)`, [rows.map(({ name }) => name)]);
}
