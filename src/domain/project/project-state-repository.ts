// Reads the deployed state with a few statements, for any number of lenses.
import type { Lens } from '../../lens/model/lens.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { readFileBoards } from '../boards/file-boards.ts';
import { readAssignedAttributes } from '../identity/caller-repository.ts';
import type {
  DeployedState,
  GrantRow,
  Origin,
  SemanticObject,
  StoredConnection,
  StoredCorpusEntry,
  StoredLens,
} from './project-state.ts';

/** The lock lasts until the transaction ends. A second apply for the organization is refused, not queued. */
export const tryLockProject = async (db: TenantClient): Promise<boolean> =>
  (await db.first<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('svc project ' || $1, 0)) as locked`,
    [db.orgId],
  ))!.locked;

export const readLastDeployment = (db: TenantClient): Promise<DeployedState['deployment']> =>
  db.first<NonNullable<DeployedState['deployment']>>(
    `select id, version, content_sha256 as "contentSha256", applied_at as "appliedAt",
       case when edits <> '{}' then jsonb_build_object('files', files, 'edits', edits) end as edited
     from svc.deployments order by version desc limit 1`,
  );

export async function readDeployedState(db: TenantClient): Promise<DeployedState> {
  const settings = await db.rows<{ name: string; body: unknown; origin: Origin }>(
    'select name, body, origin from svc.settings',
  );
  return {
    deployment: await readLastDeployment(db),
    connections: await readConnections(db),
    lenses: await readLenses(db),
    certified: await readCertifiedEntries(db),
    evals: await readEvals(db),
    semantic: await db.rows<SemanticObject & { origin: Origin }>(
      'select kind, name, body, origin from svc.semantic_objects order by kind, name',
    ),
    grants: await db.rows<GrantRow>(
      `select lens, subject_kind as "subjectKind", subject, origin from svc.grants where origin in ('lens_file', 'group_file')`,
    ),
    boards: await readFileBoards(db),
    attributes: await readAssignedAttributes(db),
    settings: Object.fromEntries(settings.map(({ name, body }) => [name, body])),
    fileSettings: settings.filter(({ origin }) => origin === 'file').map(({ name }) => name),
  };
}

const readConnections = (db: TenantClient): Promise<StoredConnection[]> =>
  db.rows<StoredConnection>(
    `select id, name, kind, config, origin, active, from_operator as "fromOperator" from svc.connections order by name`,
  );

const readLenses = (db: TenantClient): Promise<StoredLens[]> =>
  db.rows<StoredLens>(
    `select l.id, l.name, l.origin, l.active_version as "activeVersion", l.source_sha256 as "sourceSha256",
       coalesce(v.last, 0) as "lastVersion", a.content_sha256 as "contentSha256", a.compiled ->> 'connection' as connection,
       case when l.origin = 'api' then encode(sha256(convert_to(a.files ->> 'lens.yaml', 'UTF8')), 'hex') end as "textSha256"
     from svc.lenses l
     left join (select lens_id, max(version) as last from svc.lens_versions group by lens_id) v on v.lens_id = l.id
     left join svc.lens_versions a on a.lens_id = l.id and a.version = l.active_version
     order by l.name`,
  );

export const readLensesCreatedThroughApi = (
  db: TenantClient,
): Promise<{ name: string; connection: string; text: string }[]> =>
  db.rows<{ name: string; connection: string; text: string }>(
    `select l.name, v.compiled ->> 'connection' as connection, v.files ->> 'lens.yaml' as text from svc.lenses l
     join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version where l.origin = 'api' order by l.name`,
  );

/** Retired entries aren't included. */
export async function readCorpusCreatedThroughApi(
  db: TenantClient,
): Promise<Pick<DeployedState, 'certified' | 'evals'>> {
  const isActiveApiEntry = ({ origin, status }: StoredCorpusEntry): boolean => origin === 'api' && status !== 'retired';
  return {
    certified: (await readCertifiedEntries(db)).filter(isActiveApiEntry),
    evals: (await readEvals(db)).filter(isActiveApiEntry),
  };
}

const readCertifiedEntries = (db: TenantClient): Promise<StoredCorpusEntry[]> =>
  db.rows<StoredCorpusEntry>(
    `select l.name as lens, c.cert_id as id, coalesce(c.path, '') as path, c.origin, c.status,
       jsonb_build_object('question', c.question, 'also_asked', to_jsonb(c.also_asked), 'sql', c.sql, 'parameters', c.parameters,
         'approved_by', c.approved_by, 'approved_at', c.approved_at, 'notes', c.notes) as body
     from svc.certified_entries c join svc.lenses l on l.id = c.lens_id order by l.name, c.cert_id`,
  );

const readEvals = (db: TenantClient): Promise<StoredCorpusEntry[]> =>
  db.rows<StoredCorpusEntry>(
    `select l.name as lens, e.eval_id as id, coalesce(e.path, '') as path, e.origin, 'active' as status,
       jsonb_build_object('question', e.question, 'expect', e.expect, 'paraphrases', to_jsonb(e.paraphrases), 'choices', e.choices) as body
     from svc.evals e join svc.lenses l on l.id = e.lens_id order by l.name, e.eval_id`,
  );

export async function readLiveLenses(db: TenantClient, names: string[]): Promise<Map<string, Lens>> {
  const rows = await db.rows<{ name: string; compiled: Lens }>(
    `select l.name, v.compiled from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version
     where l.name = any($1)`,
    [names],
  );
  return new Map(rows.map(({ name, compiled }) => [name, compiled]));
}
