// Writes a whole project in the caller's transaction with a few set-based statements, for any number of lenses. Readers
// see the old project until the commit, and no lock blocks them.
import { newId } from '../../platform/ids.ts';
import { insertRows, upsertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { writeFileBoards } from '../boards/file-boards.ts';
import { changedBoards, grantKey, removedBoards, sameCorpusEntry } from './list-changes.ts';
import type { Change, CorpusEntry, DeployedState, FileEdits, WantedState } from './project-state.ts';
import { dictionaryRows, type ReadDictionary } from './read-dictionaries.ts';

export interface ProjectWrite {
  state: DeployedState;
  wanted: WantedState;
  dictionaries: Map<string, ReadDictionary[]>;
  changes: Change[];
  actor: string;
  message: string | null;
  rolledBackTo: number | null;
  edits: FileEdits;
  sealed: (name: string, config: object) => Record<string, unknown>;
}

export async function writeProject(
  db: TenantClient,
  write: ProjectWrite,
): Promise<{ deploymentId: string; version: number; appliedAt: Date }> {
  const { state, wanted } = write;
  const deploymentId = newId();
  const version = (state.deployment?.version ?? 0) + 1;
  const { message, actor, rolledBackTo: rolled_back_to, edits } = write;
  const { contentSha256: content_sha256, files } = wanted;
  const changes = write.changes.filter(({ action }) => action !== 'none');
  await insertRows(db, 'deployments', [
    { id: deploymentId, version, content_sha256, files, changes, message, actor, rolled_back_to, edits },
  ]);
  const row = await db.first<{ applied_at: Date }>('select applied_at from svc.deployments where id = $1', [
    deploymentId,
  ]);
  await writeConnections(db, write);
  const lensIds = await writeLenses(db, write, deploymentId);
  await writeDictionaries(db, write, lensIds);
  await writeCertified(db, write, lensIds);
  await writeEvals(db, write, lensIds);
  await writeSemantic(db, write);
  await writeGrants(db, write);
  await writeSettings(db, write);
  await writeFileBoards(db, changedBoards(state, wanted), removedBoards(state, wanted));
  return { deploymentId, version, appliedAt: row!.applied_at };
}

async function writeConnections(db: TenantClient, { state, wanted, sealed }: ProjectWrite): Promise<void> {
  const rows = wanted.connections
    .filter(({ changed }) => changed)
    .map(({ name, config, fromOperator: from_operator }) => ({
      ...{
        id: newId(),
        name,
        kind: config.kind,
        config: sealed(name, config),
        origin: 'file',
        active: true,
        from_operator,
      },
    }));
  await upsertRows(db, 'connections', ['name'], rows, ', revision = connections.revision + 1, updated_at = now()');
  const removed = state.connections.filter(
    ({ name, origin, active }) =>
      origin === 'file' && active && !wanted.connections.some((connection) => connection.name === name),
  );
  await db.run(
    `update svc.connections set active = false, revision = revision + 1, updated_at = now() where id = any($1)`,
    [removed.map(({ id }) => id)],
  );
}

async function writeLenses(db: TenantClient, write: ProjectWrite, deploymentId: string): Promise<Map<string, string>> {
  const { state, wanted } = write;
  const storedByName = new Map(state.lenses.map((lens) => [lens.name, lens]));
  const rows = wanted.lenses.map(({ name, sourceSha256, compiled, files }) => {
    const before = storedByName.get(name);
    const fresh = compiled !== null && compiled.contentSha256 !== before?.contentSha256;
    return {
      id: before?.id ?? newId(),
      name,
      sourceSha256,
      before,
      fresh,
      version: fresh ? (before?.lastVersion ?? 0) + 1 : before!.activeVersion!,
      compiled,
      files,
    };
  });
  const moved = rows.filter(
    ({ before, fresh, sourceSha256 }) => fresh || before?.sourceSha256 !== sourceSha256 || before?.origin !== 'file',
  );
  await upsertRows(
    db,
    'lenses',
    ['name'],
    moved.map(({ id, name, sourceSha256: source_sha256 }) => ({ id, name, origin: 'file', source_sha256 })),
  );
  const versions = rows.flatMap(({ fresh, id: lens_id, version, compiled, files }) =>
    fresh ? [{ lens_id, version, content_sha256: compiled!.contentSha256, files, compiled: compiled!.lens }] : [],
  );
  const published = { deployment_id: deploymentId, created_by: write.actor };
  await insertRows(
    db,
    'lens_versions',
    versions.map((row) => ({ ...row, ...published })),
  );
  await db.run(
    `update svc.lenses l set active_version = r.version, updated_at = clock_timestamp()
     from jsonb_to_recordset($1) as r(id uuid, version int) where l.id = r.id`,
    [JSON.stringify(moved.map(({ id, version }) => ({ id, version })))],
  );
  const wantedNames = new Set(rows.map(({ name }) => name));
  const removed = state.lenses.filter(
    ({ name, origin, activeVersion }) => origin === 'file' && activeVersion !== null && !wantedNames.has(name),
  );
  await db.run(
    'update svc.lenses set active_version = null, source_sha256 = null, updated_at = clock_timestamp() where id = any($1)',
    [removed.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function writeDictionaries(
  db: TenantClient,
  { wanted, dictionaries }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const checked = wanted.lenses.filter(({ compiled }) => compiled !== null).map(({ name }) => name);
  await db.run('delete from svc.value_dictionaries where lens_id = any($1)', [
    checked.map((name) => lensIds.get(name)),
  ]);
  const rows = checked.flatMap((name) => dictionaryRows(lensIds.get(name)!, dictionaries.get(name) ?? []));
  await insertRows(db, 'value_dictionaries', rows);
}

const corpusKey = ({ lens, id }: { lens: string; id: string }): string => `${lens}/${id}`;
function changedEntries(
  stored: DeployedState['evals'],
  wantedEntries: CorpusEntry[],
): { changed: CorpusEntry[]; gone: DeployedState['evals'] } {
  const storedByKey = new Map(stored.map((entry) => [corpusKey(entry), entry]));
  const wantedKeys = new Set(wantedEntries.map(corpusKey));
  return {
    changed: wantedEntries.filter((entry) => {
      const before = storedByKey.get(corpusKey(entry));
      return before?.origin !== 'file' || !sameCorpusEntry(before, entry);
    }),
    gone: stored.filter(
      (entry) => entry.origin === 'file' && entry.status !== 'retired' && !wantedKeys.has(corpusKey(entry)),
    ),
  };
}

async function writeCertified(
  db: TenantClient,
  { state, wanted }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const { changed, gone } = changedEntries(state.certified, wanted.certified);
  await upsertRows(
    db,
    'certified_entries',
    ['lens_id', 'cert_id'],
    changed.map(({ lens, id: cert_id, path, body }) => ({
      ...{ id: newId(), lens_id: lensIds.get(lens), cert_id, origin: 'file', path, status_reason: null, ...body },
    })),
    ', revision = certified_entries.revision + 1, updated_at = now()',
  );
  await db.run(
    `update svc.certified_entries c set status = 'retired', status_reason = 'no longer named by the project files', revision = c.revision + 1, updated_at = now()
     from svc.lenses l, jsonb_to_recordset($1) as r(lens text, id text) where l.name = r.lens and c.lens_id = l.id and c.cert_id = r.id`,
    [JSON.stringify(gone)],
  );
}

async function writeEvals(
  db: TenantClient,
  { state, wanted }: ProjectWrite,
  lensIds: Map<string, string>,
): Promise<void> {
  const { changed, gone } = changedEntries(state.evals, wanted.evals);
  await upsertRows(
    db,
    'evals',
    ['lens_id', 'eval_id'],
    changed.map(({ lens, id: eval_id, path, body }) => ({
      ...{ id: newId(), lens_id: lensIds.get(lens), eval_id, origin: 'file', path, ...body },
    })),
    ', updated_at = now()',
  );
  await db.run(
    `delete from svc.evals e using svc.lenses l, jsonb_to_recordset($1) as r(lens text, id text)
     where l.name = r.lens and e.lens_id = l.id and e.eval_id = r.id`,
    [JSON.stringify(gone)],
  );
}

async function writeSemantic(db: TenantClient, { state, wanted }: ProjectWrite): Promise<void> {
  await upsertRows(
    db,
    'semantic_objects',
    ['kind', 'name'],
    wanted.semantic.map(({ kind, name, body }) => ({ id: newId(), kind, name, body, origin: 'file' })),
    `, updated_at = now()
      where (semantic_objects.body, semantic_objects.origin) is distinct from (excluded.body, excluded.origin)`,
  );
  const wantedKeys = new Set(wanted.semantic.map(({ kind, name }) => `${kind}/${name}`));
  const removed = state.semantic.filter(
    ({ origin, kind, name }) => origin === 'file' && !wantedKeys.has(`${kind}/${name}`),
  );
  await db.run(
    'delete from svc.semantic_objects s using jsonb_to_recordset($1) as r(kind text, name text) where s.kind = r.kind and s.name = r.name',
    [JSON.stringify(removed)],
  );
}

async function writeGrants(db: TenantClient, { state, wanted }: ProjectWrite): Promise<void> {
  const [before, after] = [new Set(state.grants.map(grantKey)), new Set(wanted.grants.map(grantKey))];
  await db.run(
    `delete from svc.grants g using jsonb_to_recordset($1) as r(lens text, "subjectKind" text, subject text, origin text)
     where g.lens = r.lens and g.subject_kind = r."subjectKind" and g.subject = r.subject and g.origin = r.origin`,
    [JSON.stringify(state.grants.filter((grant) => !after.has(grantKey(grant))))],
  );
  const added = wanted.grants.filter((grant) => !before.has(grantKey(grant)));
  await insertRows(
    db,
    'grants',
    added.map(({ subjectKind: subject_kind, ...grant }) => ({ subject_kind, ...grant })),
    'on conflict do nothing',
  );
}

async function writeSettings(db: TenantClient, { wanted }: ProjectWrite): Promise<void> {
  const rows = Object.entries(wanted.settings).map(([name, body]) => ({ name, body, origin: 'file' }));
  await upsertRows(db, 'settings', ['name'], rows, ', updated_at = now()');
  await db.run(`delete from svc.settings where origin = 'file' and name <> all($1)`, [rows.map(({ name }) => name)]);
}
