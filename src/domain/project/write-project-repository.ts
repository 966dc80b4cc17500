// Writes a whole project in the caller's transaction with a few set-based statements, for any number of lenses. Readers
// see the old project until the commit, and no lock blocks them.
import { newId } from '../../platform/ids.ts';
import { insertRows, upsertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { writeFileBoards } from '../boards/file-boards.ts';
import { changedBoards, grantKey, isSameCorpusEntry, removedBoards } from './list-changes.ts';
import type { Change, CorpusEntry, DeployedState, FileEdits, WantedState } from './project-state.ts';
import { type ReadDictionary, toDictionaryRows } from './read-dictionaries.ts';

export interface ProjectWrite {
  state: DeployedState;
  wantedState: WantedState;
  dictionaries: Map<string, ReadDictionary[]>;
  changes: Change[];
  actor: string;
  message: string | null;
  rolledBackTo: number | null;
  edits: FileEdits;
  sealConfig: (name: string, config: object) => Record<string, unknown>;
}

export async function writeProject(
  db: TenantClient,
  projectWrite: ProjectWrite,
): Promise<{ deploymentId: string; version: number; appliedAt: Date }> {
  const { state, wantedState } = projectWrite;
  const deploymentId = newId();
  const version = (state.deployment?.version ?? 0) + 1;
  const { message, actor, rolledBackTo: rolled_back_to, edits } = projectWrite;
  const { contentSha256: content_sha256, files } = wantedState;
  const changes = projectWrite.changes.filter(({ action }) => action !== 'none');
  await insertRows(db, 'deployments', [
    { id: deploymentId, version, content_sha256, files, changes, message, actor, rolled_back_to, edits },
  ]);
  const row = await db.first<{ applied_at: Date }>('select applied_at from svc.deployments where id = $1', [
    deploymentId,
  ]);
  await writeConnections(db, projectWrite);
  const lensIds = await writeLenses(db, projectWrite, deploymentId);
  await writeDictionaries(db, projectWrite, lensIds);
  await writeCertified(db, projectWrite, lensIds);
  await writeEvals(db, projectWrite, lensIds);
  await writeSemantic(db, projectWrite);
  await writeGrants(db, projectWrite);
  await writeSettings(db, projectWrite);
  await writeFileBoards(db, changedBoards(state, wantedState), removedBoards(state, wantedState));
  return { deploymentId, version, appliedAt: row!.applied_at };
}

async function writeConnections(db: TenantClient, { state, wantedState, sealConfig }: ProjectWrite): Promise<void> {
  const rows = wantedState.connections
    .filter(({ changed }) => changed)
    .map(({ name, config, fromOperator: from_operator }) => ({
      ...{
        id: newId(),
        name,
        kind: config.kind,
        config: sealConfig(name, config),
        origin: 'file',
        active: true,
        from_operator,
      },
    }));
  await upsertRows(db, 'connections', ['name'], rows, ', revision = connections.revision + 1, updated_at = now()');
  const removedConnections = state.connections.filter(
    ({ name, origin, active }) =>
      origin === 'file' && active && !wantedState.connections.some((connection) => connection.name === name),
  );
  await db.run(
    `update svc.connections set active = false, revision = revision + 1, updated_at = now() where id = any($1)`,
    [removedConnections.map(({ id }) => id)],
  );
}

async function writeLenses(db: TenantClient, write: ProjectWrite, deploymentId: string): Promise<Map<string, string>> {
  const { state, wantedState } = write;
  const storedByName = new Map(state.lenses.map((lens) => [lens.name, lens]));
  const rows = wantedState.lenses.map(({ name, sourceSha256, compiled, files }) => {
    const storedLens = storedByName.get(name);
    const isNewVersion = compiled !== null && compiled.contentSha256 !== storedLens?.contentSha256;
    return {
      id: storedLens?.id ?? newId(),
      name,
      sourceSha256,
      before: storedLens,
      fresh: isNewVersion,
      version: isNewVersion ? (storedLens?.lastVersion ?? 0) + 1 : storedLens!.activeVersion!,
      compiled,
      files,
    };
  });
  const changedRows = rows.filter(
    ({ before, fresh, sourceSha256 }) => fresh || before?.sourceSha256 !== sourceSha256 || before?.origin !== 'file',
  );
  await upsertRows(
    db,
    'lenses',
    ['name'],
    changedRows.map(({ id, name, sourceSha256: source_sha256 }) => ({ id, name, origin: 'file', source_sha256 })),
  );
  const versions = rows.flatMap(({ fresh, id: lens_id, version, compiled, files }) =>
    fresh ? [{ lens_id, version, content_sha256: compiled!.contentSha256, files, compiled: compiled!.lens }] : [],
  );
  const publicationColumns = { deployment_id: deploymentId, created_by: write.actor };
  await insertRows(
    db,
    'lens_versions',
    versions.map((row) => ({ ...row, ...publicationColumns })),
  );
  await db.run(
    `update svc.lenses l set active_version = r.version, updated_at = clock_timestamp()
     from jsonb_to_recordset($1) as r(id uuid, version int) where l.id = r.id`,
    [JSON.stringify(changedRows.map(({ id, version }) => ({ id, version })))],
  );
  const wantedNames = new Set(rows.map(({ name }) => name));
  const removedLenses = state.lenses.filter(
    ({ name, origin, activeVersion }) => origin === 'file' && activeVersion !== null && !wantedNames.has(name),
  );
  await db.run(
    'update svc.lenses set active_version = null, source_sha256 = null, updated_at = clock_timestamp() where id = any($1)',
    [removedLenses.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function writeDictionaries(
  db: TenantClient,
  { wantedState, dictionaries }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const checkedNames = wantedState.lenses.filter(({ compiled }) => compiled !== null).map(({ name }) => name);
  await db.run('delete from svc.value_dictionaries where lens_id = any($1)', [
    checkedNames.map((name) => lensIds.get(name)),
  ]);
  const rows = checkedNames.flatMap((name) => toDictionaryRows(lensIds.get(name)!, dictionaries.get(name) ?? []));
  await insertRows(db, 'value_dictionaries', rows);
}

const corpusKey = ({ lens, id }: { lens: string; id: string }): string => `${lens}/${id}`;
function compareEntries(
  storedEntries: DeployedState['evals'],
  wantedEntries: CorpusEntry[],
): { changedEntries: CorpusEntry[]; removedEntries: DeployedState['evals'] } {
  const storedByKey = new Map(storedEntries.map((entry) => [corpusKey(entry), entry]));
  const wantedKeys = new Set(wantedEntries.map(corpusKey));
  return {
    changedEntries: wantedEntries.filter((entry) => {
      const storedEntry = storedByKey.get(corpusKey(entry));
      return storedEntry?.origin !== 'file' || !isSameCorpusEntry(storedEntry, entry);
    }),
    removedEntries: storedEntries.filter(
      (entry) => entry.origin === 'file' && entry.status !== 'retired' && !wantedKeys.has(corpusKey(entry)),
    ),
  };
}

async function writeCertified(
  db: TenantClient,
  { state, wantedState }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const { changedEntries, removedEntries } = compareEntries(state.certified, wantedState.certified);
  await upsertRows(
    db,
    'certified_entries',
    ['lens_id', 'cert_id'],
    changedEntries.map(({ lens, id: cert_id, path, body }) => ({
      ...{ id: newId(), lens_id: lensIds.get(lens), cert_id, origin: 'file', path, status_reason: null, ...body },
    })),
    ', revision = certified_entries.revision + 1, updated_at = now()',
  );
  await db.run(
    `update svc.certified_entries c set status = 'retired', status_reason = 'the project files no longer contain it', revision = c.revision + 1, updated_at = now()
     from svc.lenses l, jsonb_to_recordset($1) as r(lens text, id text) where l.name = r.lens and c.lens_id = l.id and c.cert_id = r.id`,
    [JSON.stringify(removedEntries)],
  );
}

async function writeEvals(
  db: TenantClient,
  { state, wantedState }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const { changedEntries, removedEntries } = compareEntries(state.evals, wantedState.evals);
  await upsertRows(
    db,
    'evals',
    ['lens_id', 'eval_id'],
    changedEntries.map(({ lens, id: eval_id, path, body }) => ({
      ...{ id: newId(), lens_id: lensIds.get(lens), eval_id, origin: 'file', path, ...body },
    })),
    ', updated_at = now()',
  );
  await db.run(
    `delete from svc.evals e using svc.lenses l, jsonb_to_recordset($1) as r(lens text, id text)
     where l.name = r.lens and e.lens_id = l.id and e.eval_id = r.id`,
    [JSON.stringify(removedEntries)],
  );
}

async function writeSemantic(db: TenantClient, { state, wantedState }: ProjectWrite): Promise<void> {
  await upsertRows(
    db,
    'semantic_objects',
    ['kind', 'name'],
    wantedState.semantic.map(({ kind, name, body }) => ({ id: newId(), kind, name, body, origin: 'file' })),
    `, updated_at = now()
      where (semantic_objects.body, semantic_objects.origin) is distinct from (excluded.body, excluded.origin)`,
  );
  const wantedKeys = new Set(wantedState.semantic.map(({ kind, name }) => `${kind}/${name}`));
  const removedObjects = state.semantic.filter(
    ({ origin, kind, name }) => origin === 'file' && !wantedKeys.has(`${kind}/${name}`),
  );
  await db.run(
    'delete from svc.semantic_objects s using jsonb_to_recordset($1) as r(kind text, name text) where s.kind = r.kind and s.name = r.name',
    [JSON.stringify(removedObjects)],
  );
}

async function writeGrants(db: TenantClient, { state, wantedState }: ProjectWrite): Promise<void> {
  const [storedKeys, wantedKeys] = [new Set(state.grants.map(grantKey)), new Set(wantedState.grants.map(grantKey))];
  await db.run(
    `delete from svc.grants g using jsonb_to_recordset($1) as r(lens text, "subjectKind" text, subject text, origin text)
     where g.lens = r.lens and g.subject_kind = r."subjectKind" and g.subject = r.subject and g.origin = r.origin`,
    [JSON.stringify(state.grants.filter((grant) => !wantedKeys.has(grantKey(grant))))],
  );
  const addedGrants = wantedState.grants.filter((grant) => !storedKeys.has(grantKey(grant)));
  await insertRows(
    db,
    'grants',
    addedGrants.map(({ subjectKind: subject_kind, ...grant }) => ({ subject_kind, ...grant })),
    'on conflict do nothing',
  );
}

async function writeSettings(db: TenantClient, { wantedState }: ProjectWrite): Promise<void> {
  const rows = Object.entries(wantedState.settings).map(([name, body]) => ({ name, body, origin: 'file' }));
  await upsertRows(db, 'settings', ['name'], rows, ', updated_at = now()');
  await db.run(`delete from svc.settings where origin = 'file' and name <> all($1)`, [rows.map(({ name }) => name)]);
}
