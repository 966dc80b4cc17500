// Reads the complete deployed state with a few statements, for any number of lenses.
import type { Lens } from '../../lens/model/lens.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { readFileBoards } from '../boards/file-boards.ts';
import { readGivenAttributes } from '../identity/caller-repository.ts';
import { readApiLenses } from './connections-in-use.ts';
import type {
  DeployedState,
  GrantRow,
  Origin,
  SemanticObject,
  StoredConnection,
  StoredCorpusEntry,
  StoredLens,
} from './project-state.ts';

/** Held until the end of the transaction: a second apply of the organization is rejected, not queued. */
export async function tryLockProject(db: TenantClient): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('svc project ' || $1, 0)) as locked`,
    [db.orgId],
  );
  return rows[0]!.locked;
}

export async function readLastDeployment(db: TenantClient): Promise<DeployedState['deployment']> {
  const { rows } = await db.query<NonNullable<DeployedState['deployment']>>(
    `select id, version, content_sha256 as "contentSha256", applied_at as "appliedAt",
       case when edits <> '{}' then jsonb_build_object('files', files, 'edits', edits) end as edited
     from svc.deployments order by version desc limit 1`,
  );
  return rows[0] ?? null;
}

export async function readDeployedState(db: TenantClient): Promise<DeployedState> {
  const { rows: settings } = await db.query<{ name: string; body: unknown; origin: Origin }>(
    'select name, body, origin from svc.settings',
  );
  return {
    deployment: await readLastDeployment(db),
    connections: await readConnections(db),
    lenses: await readLenses(db),
    apiLenses: await readApiLenses(db),
    certified: await readCertified(db),
    evals: await readEvals(db),
    semantic: (
      await db.query<SemanticObject & { origin: Origin }>(
        'select kind, name, body, origin from svc.semantic_objects order by kind, name',
      )
    ).rows,
    grants: (
      await db.query<GrantRow>(
        `select lens, subject_kind as "subjectKind", subject, origin from svc.grants where origin in ('lens_file', 'group_file')`,
      )
    ).rows,
    boards: await readFileBoards(db),
    attributes: await readGivenAttributes(db),
    settings: Object.fromEntries(settings.map(({ name, body }) => [name, body])),
    fileSettings: settings.filter(({ origin }) => origin === 'file').map(({ name }) => name),
  };
}

async function readConnections(db: TenantClient): Promise<StoredConnection[]> {
  const { rows } = await db.query<StoredConnection>(
    `select id, name, kind, config, origin, active, from_operator as "fromOperator" from svc.connections order by name`,
  );
  return rows;
}

async function readLenses(db: TenantClient): Promise<StoredLens[]> {
  const { rows } = await db.query<StoredLens>(
    `select l.id, l.name, l.origin, l.active_version as "activeVersion", l.source_sha256 as "sourceSha256",
       coalesce(v.last, 0) as "lastVersion", a.content_sha256 as "contentSha256",
       case when l.origin = 'api' then encode(sha256(convert_to(a.files ->> 'lens.yaml', 'UTF8')), 'hex') end as "textSha256"
     from svc.lenses l
     left join (select lens_id, max(version) as last from svc.lens_versions group by lens_id) v on v.lens_id = l.id
     left join svc.lens_versions a on a.lens_id = l.id and a.version = l.active_version
     order by l.name`,
  );
  return rows;
}

/** Lenses in service with their lens.yaml. */
export async function readLensesMadeByApi(
  db: TenantClient,
): Promise<{ name: string; connection: string; text: string }[]> {
  const { rows } = await db.query<{ name: string; connection: string; text: string }>(
    `select l.name, v.compiled ->> 'connection' as connection, v.files ->> 'lens.yaml' as text from svc.lenses l
     join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version where l.origin = 'api' order by l.name`,
  );
  return rows;
}

/** For lenses created by API. Objects out of service are left out. */
export async function readCorpusMadeByApi(db: TenantClient): Promise<Pick<DeployedState, 'certified' | 'evals'>> {
  const isFromApi = ({ origin, status }: StoredCorpusEntry): boolean => origin === 'api' && status !== 'retired';
  return { certified: (await readCertified(db)).filter(isFromApi), evals: (await readEvals(db)).filter(isFromApi) };
}

async function readCertified(db: TenantClient): Promise<StoredCorpusEntry[]> {
  const { rows } = await db.query<StoredCorpusEntry>(
    `select l.name as lens, c.cert_id as id, coalesce(c.path, '') as path, c.origin, c.status,
       jsonb_build_object('question', c.question, 'also_asked', to_jsonb(c.also_asked), 'sql', c.sql, 'parameters', c.parameters,
         'approved_by', c.approved_by, 'approved_at', c.approved_at, 'notes', c.notes) as body
     from svc.certified_entries c join svc.lenses l on l.id = c.lens_id order by l.name, c.cert_id`,
  );
  return rows;
}

async function readEvals(db: TenantClient): Promise<StoredCorpusEntry[]> {
  const { rows } = await db.query<StoredCorpusEntry>(
    `select l.name as lens, e.eval_id as id, coalesce(e.path, '') as path, e.origin, 'active' as status,
       jsonb_build_object('question', e.question, 'expect', e.expect, 'paraphrases', to_jsonb(e.paraphrases), 'choices', e.choices) as body
     from svc.evals e join svc.lenses l on l.id = e.lens_id order by l.name, e.eval_id`,
  );
  return rows;
}

/** The compiled lenses in service with these names. */
export async function readServedLenses(db: TenantClient, names: string[]): Promise<Map<string, Lens>> {
  const { rows } = await db.query<{ name: string; compiled: Lens }>(
    `select l.name, v.compiled from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version
     where l.name = any($1)`,
    [names],
  );
  return new Map(rows.map(({ name, compiled }) => [name, compiled]));
}
