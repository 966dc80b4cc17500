// Checks a draft as if it were a lens.yaml in the organization's project.

import type { ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { Actor } from '../audit/audit-log.ts';
import { countApprovedEntries } from '../certified/entry-repository.ts';
import { findSetting } from '../cockpit/settings.ts';
import { listConnections } from '../connections/connection-repository.ts';
import { hideSecrets } from '../connections/connection-secrets.ts';
import { readAssignedAttributes } from '../identity/caller-repository.ts';
import { findCallerWarnings, findEmptyGroups } from '../identity/grant-subjects.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { ProjectRefusal } from '../project/apply-project.ts';
import { checkLenses } from '../project/check-lenses.ts';
import { readFiles } from '../project/files/read-files.ts';
import type { ReadDictionary } from '../project/read-dictionaries.ts';
import { requireSameLensAccess } from '../project/require-unchanged-access.ts';
import { listAllSemanticObjects } from '../semantic/semantic-repository.ts';
import { findVersion } from './lens-draft-repository.ts';

export interface DraftCheckResult {
  /** Null if the draft has problems. */
  lens: Lens | null;
  contentSha256: string | null;
  dictionaries: ReadDictionary[];
  grants: { callers: string[]; groups: string[] };
  problems: ProjectProblem[];
  warnings: string[];
}

export type ValidDraft = DraftCheckResult & { lens: Lens; contentSha256: string };

/** Throws if the draft has problems. `refusal` says which action svc didn't perform. */
export async function requireValidDraft(
  deps: Parameters<typeof checkDraft>[0],
  orgId: string,
  name: string,
  files: Record<string, string>,
  { refusal, ...options }: DraftOptions & { refusal: string },
): Promise<ValidDraft> {
  const draft = await checkDraft(deps, orgId, name, files, options);
  if (!draft.lens) throw new ProjectRefusal(draft.problems, draft.warnings, refusal);
  return draft as ValidDraft;
}

interface DraftOptions {
  /** The planned content of semantic/definitions.yaml. If null, svc uses the current file. */
  sharedDefinitions?: string | null;
  report?: ProgressReporter | undefined;
  /** Absent if an admin wrote the draft. */
  actor?: Actor;
}

export async function checkDraft(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory },
  orgId: string,
  name: string,
  files: Record<string, string>,
  { sharedDefinitions = null, report, actor }: DraftOptions = {},
): Promise<DraftCheckResult> {
  const projectContext = await deps.tenancy.inTenant(orgId, async (db) => ({
    connections: await listConnections(db, { limit: 10_000, after: null }),
    shared: await listAllSemanticObjects(db),
    groups: await findSetting<object>(db, 'groups'),
    standards: await findSetting<object>(db, 'standards'),
    // A draft without certified files of its own leaves the entries of the lens unchanged.
    approved: await countApprovedEntries(db, name, hasCertifiedFiles(files) ? ['api'] : ['api', 'file']),
    attributes: await readAssignedAttributes(db),
    served: actor?.keepsAccess ? await findVersion(db, name, null) : null,
  }));
  const config = {
    connections: Object.fromEntries(projectContext.connections.map((row) => [row.name, hideSecrets(row.config)])),
    groups: Object.fromEntries(Object.keys(projectContext.groups?.body ?? {}).map((group) => [group, { lenses: [] }])),
    ...(projectContext.standards ? { standards: projectContext.standards.body } : {}),
  };
  const selectShared = (kind: string) => projectContext.shared.filter((row) => row.kind === kind);
  const prefix = `lenses/${name}/`;
  // JSON is valid YAML, so svc passes the rest of the project as JSON.
  const { project, problems } = await readFiles(orgId, {
    'svc.config.yaml': JSON.stringify(config),
    'semantic/definitions.yaml':
      sharedDefinitions ?? JSON.stringify(selectShared('definition').map(({ body }) => body)),
    'semantic/entities.yaml': JSON.stringify({
      entities: Object.fromEntries(selectShared('entity').map((row) => [row.name, row.body])),
    }),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [prefix + path, text])),
  });
  const ownProblems = problems.filter(
    ({ path }) => path.startsWith(prefix) || (sharedDefinitions !== null && path === 'semantic/definitions.yaml'),
  );
  const source = project.lenses.find((lens) => lens.name === name);
  const grants = source?.file.grants ?? { callers: [], groups: [] };
  if (!source || ownProblems.some(({ severity }) => severity === 'error'))
    return { lens: null, contentSha256: null, dictionaries: [], grants, problems: ownProblems, warnings: [] };
  if (actor?.keepsAccess)
    await requireSameLensAccess(orgId, name, projectContext.served?.files['lens.yaml'] ?? '', source.file);
  const desiredLens = { name, path: source.path, files, sourceSha256: '', compiled: null };
  const [checkedLens] = await checkLenses(
    project,
    [desiredLens],
    new Set([name]),
    (connection) => deps.warehouses.get(orgId, connection),
    {
      report,
      assignedAttributes: projectContext.attributes,
      approvedByApi: new Map([[name, projectContext.approved]]),
    },
  );
  const { desiredLens: checked, dictionaries, warnings, problems: lensProblems } = checkedLens!;
  const grantWarnings = await deps.tenancy.inTenant(orgId, async (db) => {
    const callerGrants = grants.callers.map((subject) => ({ lens: name, subjectKind: 'caller' as const, subject }));
    return [...(await findCallerWarnings(db, callerGrants)), ...(await findEmptyGroups(db, grants.groups))];
  });
  const allProblems = [...ownProblems, ...lensProblems];
  const errors = allProblems.filter(({ severity }) => severity === 'error');
  const warningProblems = allProblems.filter(({ severity }) => severity === 'warning');
  const problemTexts = warningProblems.map(({ path, line, message }) => `${path}:${line}: ${message}`);
  return {
    lens: errors.length > 0 ? null : (checked.compiled?.lens ?? null),
    contentSha256: checked.compiled?.contentSha256 ?? null,
    ...{ dictionaries, grants, problems: errors },
    warnings: [...problemTexts, ...warnings, ...grantWarnings],
  };
}

const hasCertifiedFiles = (files: Record<string, string>): boolean =>
  Object.keys(files).some((path) => path.startsWith('certified/'));
