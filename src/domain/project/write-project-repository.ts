// Writes a whole project in the caller's transaction with a few set-based statements, for any number of lenses. Readers
// see the old project until the commit, and no lock blocks them.
import { newId } from '../../platform/ids.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { writeFileBoards } from '../boards/file-boards.ts';
import { changedBoards, grantKey, removedBoards, sameCorpusEntry } from './list-changes.ts';
import type { Change, CorpusEntry, DeployedState, FileEdits, WantedState } from './project-state.ts';
import type { ReadDictionary } from './read-dictionaries.ts';

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
  const row = await db.first<{ applied_at: Date }>(
    `insert into svc.deployments (org_id, id, version, content_sha256, files, changes, message, actor, rolled_back_to, edits)
     values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) returning applied_at`,
    [
      db.orgId,
      deploymentId,
      version,
      wanted.contentSha256,
      JSON.stringify(wanted.files),
      JSON.stringify(write.changes.filter(({ action }) => action !== 'none')),
      write.message,
      write.actor,
      write.rolledBackTo,
      JSON.stringify(write.edits),
    ],
  );
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
    .map(({ name, config, fromOperator }) => ({
      id: newId(),
      name,
      kind: config.kind,
      config: sealed(name, config),
      trusted: fromOperator,
    }));
  await db.run(
    `insert into svc.connections (org_id, id, name, kind, config, origin, from_operator)
     select $1, id, name, kind, config, 'file', trusted
     from jsonb_to_recordset($2) as r(id uuid, name text, kind text, config jsonb, trusted boolean)
     on conflict (org_id, name) do update set kind = excluded.kind, config = excluded.config, origin = 'file', active = true,
       from_operator = excluded.from_operator, revision = svc.connections.revision + 1, updated_at = now()`,
    [db.orgId, JSON.stringify(rows)],
  );
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
  await db.run(
    `insert into svc.lenses (org_id, id, name, origin, source_sha256)
     select $1, id, name, 'file', source from jsonb_to_recordset($2) as r(id uuid, name text, source text)
     on conflict (org_id, name) do update set origin = 'file', source_sha256 = excluded.source_sha256`,
    [db.orgId, JSON.stringify(moved.map(({ id, name, sourceSha256 }) => ({ id, name, source: sourceSha256 })))],
  );
  const versions = rows.filter(({ fresh }) => fresh);
  for (let from = 0; from < versions.length; from += 50)
    await db.run(
      `insert into svc.lens_versions (org_id, lens_id, version, content_sha256, files, compiled, deployment_id, created_by)
       select $1, lens, version, sha, files, compiled, $3, $4
       from jsonb_to_recordset($2) as r(lens uuid, version int, sha text, files jsonb, compiled jsonb)`,
      [
        db.orgId,
        JSON.stringify(
          versions.slice(from, from + 50).map(({ id, version, compiled, files }) => ({
            lens: id,
            version,
            sha: compiled!.contentSha256,
            files,
            compiled: compiled!.lens,
          })),
        ),
        deploymentId,
        write.actor,
      ],
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
  const rows = checked.flatMap((name) =>
    (dictionaries.get(name) ?? []).map((item) => ({ lens: lensIds.get(name), ...item })),
  );
  for (let from = 0; from < rows.length; from += 100)
    await db.run(
      `insert into svc.value_dictionaries (org_id, lens_id, dataset, field, "values", complete)
       select $1, lens, dataset, field, "values", complete
       from jsonb_to_recordset($2) as r(lens uuid, dataset text, field text, "values" text[], complete boolean)`,
      [db.orgId, JSON.stringify(rows.slice(from, from + 100))],
    );
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
  await db.run(
    `insert into svc.certified_entries (org_id, id, lens_id, cert_id, question, also_asked, sql, parameters, approved_by, approved_at, notes, status, origin, path)
     select $1, id, lens, cert_id, question, also_asked, sql, parameters, approved_by, approved_at, notes, status, 'file', path
     from jsonb_to_recordset($2) as r(id uuid, lens uuid, cert_id text, question text, also_asked text[], sql text, parameters jsonb,
       approved_by text, approved_at text, notes text, status text, path text)
     on conflict (org_id, lens_id, cert_id) do update set question = excluded.question, also_asked = excluded.also_asked, sql = excluded.sql,
       parameters = excluded.parameters, approved_by = excluded.approved_by, approved_at = excluded.approved_at, notes = excluded.notes,
       status = excluded.status, status_reason = null, origin = 'file', path = excluded.path,
       revision = svc.certified_entries.revision + 1, updated_at = now()`,
    [
      db.orgId,
      JSON.stringify(
        changed.map((entry) => ({
          id: newId(),
          lens: lensIds.get(entry.lens),
          cert_id: entry.id,
          path: entry.path,
          ...entry.body,
        })),
      ),
    ],
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
  await db.run(
    `insert into svc.evals (org_id, id, lens_id, eval_id, question, expect, paraphrases, choices, origin, path)
     select $1, id, lens, eval_id, question, expect, paraphrases, choices, 'file', path
     from jsonb_to_recordset($2) as r(id uuid, lens uuid, eval_id text, question text, expect jsonb, paraphrases text[], choices jsonb, path text)
     on conflict (org_id, lens_id, eval_id) do update set question = excluded.question, expect = excluded.expect,
       paraphrases = excluded.paraphrases, choices = excluded.choices, origin = 'file', path = excluded.path, updated_at = now()`,
    [
      db.orgId,
      JSON.stringify(
        changed.map((entry) => ({
          id: newId(),
          lens: lensIds.get(entry.lens),
          eval_id: entry.id,
          path: entry.path,
          ...entry.body,
        })),
      ),
    ],
  );
  await db.run(
    `delete from svc.evals e using svc.lenses l, jsonb_to_recordset($1) as r(lens text, id text)
     where l.name = r.lens and e.lens_id = l.id and e.eval_id = r.id`,
    [JSON.stringify(gone)],
  );
}

async function writeSemantic(db: TenantClient, { state, wanted }: ProjectWrite): Promise<void> {
  await db.run(
    `insert into svc.semantic_objects (org_id, id, kind, name, body, origin)
     select $1, id, kind, name, body, 'file' from jsonb_to_recordset($2) as r(id uuid, kind text, name text, body jsonb)
     on conflict (org_id, kind, name) do update set body = excluded.body, origin = 'file', updated_at = now()
       where (svc.semantic_objects.body, svc.semantic_objects.origin) is distinct from (excluded.body, 'file')`,
    [db.orgId, JSON.stringify(wanted.semantic.map((object) => ({ id: newId(), ...object })))],
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
  const columns = 'lens text, "subjectKind" text, subject text, origin text';
  await db.run(
    `delete from svc.grants g using jsonb_to_recordset($1) as r(${columns})
     where g.lens = r.lens and g.subject_kind = r."subjectKind" and g.subject = r.subject and g.origin = r.origin`,
    [JSON.stringify(state.grants.filter((grant) => !after.has(grantKey(grant))))],
  );
  await db.run(
    `insert into svc.grants (org_id, lens, subject_kind, subject, origin)
     select $1, lens, "subjectKind", subject, origin from jsonb_to_recordset($2) as r(${columns}) on conflict do nothing`,
    [db.orgId, JSON.stringify(wanted.grants.filter((grant) => !before.has(grantKey(grant))))],
  );
}

async function writeSettings(db: TenantClient, { wanted }: ProjectWrite): Promise<void> {
  const rows = Object.entries(wanted.settings).map(([name, body]) => ({ name, body }));
  await db.run(
    `insert into svc.settings (org_id, name, body, origin) select $1, name, body, 'file' from jsonb_to_recordset($2) as r(name text, body jsonb)
     on conflict (org_id, name) do update set body = excluded.body, origin = 'file', updated_at = now()`,
    [db.orgId, JSON.stringify(rows)],
  );
  await db.run(`delete from svc.settings where origin = 'file' and name <> all($1)`, [rows.map(({ name }) => name)]);
}
