// Edits of file-based cases go to their files.
import type { z } from 'zod';
import type { evalRunSchema } from '../../contract/mgmt/evals.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import { computeRevision, type EditTarget, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { editProjectFile } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import type { CaseResult, EvalCase, EvalSummary } from './run-evals.ts';

interface LensReference {
  lensId: string;
  name: string;
}
interface EvalDeps {
  tenancy: Tenancy;
  project: ProjectDeps;
}
export interface StoredEval extends EvalCase {
  origin: 'file' | 'api';
  path: string | null;
  createdAt: Date;
  updatedAt: Date;
}
export interface StoredEvalRun extends StoredObject<Omit<z.infer<typeof evalRunSchema>, 'lens'>> {
  cases: CaseResult[];
}

const SELECT_EVALS = `select eval_id as id, ${addCamelCaseAliases('question, expect, paraphrases, choices, origin, path, created_at, updated_at')}
  from svc.evals`;
const EVAL_RUN_COLUMNS = addCamelCaseAliases('run_id, lens_version, summary, actor, created_at');

/** Reads all cases if `limit` is null. */
export const listEvals = withOwnTransaction(
  (db, { lensId }: Pick<LensReference, 'lensId'>, page: { limit: number | null; after: string | null }) =>
    db.rows<StoredEval>(
      `${SELECT_EVALS} where lens_id = $1 and ($2::text is null or eval_id > $2) order by eval_id limit $3`,
      [lensId, page.after, page.limit],
    ),
);

export const findEval = (db: TenantClient, lensId: string, id: string): Promise<StoredEval | null> =>
  db.first<StoredEval>(`${SELECT_EVALS} where lens_id = $1 and eval_id = $2`, [lensId, id]);

export const listEvalRuns = withOwnTransaction((db, { lensId }: LensReference, page: RowPage) =>
  db.rows<Omit<StoredEvalRun, 'cases'>>(
    `select ${EVAL_RUN_COLUMNS} from svc.eval_runs
     where lens_id = $1 and ($2::uuid is null or run_id < $2) order by run_id desc limit $3`,
    [lensId, page.after, page.limit],
  ),
);

/** A null id means the last run. */
export const findEvalRun = withOwnTransaction((db, lensId: string, runId: string | null) =>
  db.first<StoredEvalRun>(
    `select ${EVAL_RUN_COLUMNS}, cases from svc.eval_runs
     where lens_id = $1 and ($2::uuid is null or run_id = $2) order by run_id desc limit 1`,
    [lensId, runId],
  ),
);

export async function getEvalRun(
  deps: Pick<EvalDeps, 'tenancy'>,
  orgId: string,
  { lensId, name }: LensReference,
  id: string,
): Promise<StoredEvalRun> {
  const evalRun = isId(id) ? await findEvalRun(deps, orgId, lensId, id) : null;
  return requireFound(
    evalRun,
    `Lens ${name} has no finished eval run with this id. GET /mgmt/lenses/${name}/evals/runs lists the runs.`,
  );
}

export async function insertEvalRun(
  db: TenantClient,
  lens_id: string,
  { runId: run_id, lensVersion: lens_version, ...run }: Omit<StoredEvalRun, 'createdAt'>,
): Promise<void> {
  await insertRows(db, 'eval_runs', [{ run_id, lens_id, lens_version, ...run }]);
}

/** The list includes served lenses without a run. */
export const listLastEvalRuns = withOwnTransaction((db, page: RowPage) =>
  db.rows<{
    lens: string;
    cases: number;
    runId: string | null;
    at: Date | null;
    version: number | null;
    summary: EvalSummary | null;
  }>(
    `select l.name as lens, (select count(*)::int from svc.evals e where e.lens_id = l.id) as cases, r.run_id as "runId", r.created_at as at,
       r.lens_version as version, r.summary
     from svc.lenses l left join lateral (select * from svc.eval_runs r where r.lens_id = l.id order by r.run_id desc limit 1) r on true
     where l.active_version is not null and ($1::text is null or l.name > $1) order by l.name limit $2`,
    [page.after, page.limit],
  ),
);

/** Returns false if the id is in use. */
export async function insertEval(db: TenantClient, lens_id: string, evalCase: EvalCase): Promise<boolean> {
  const { id: eval_id, ...members } = evalCase;
  const row = { id: createId(), lens_id, eval_id, ...members, origin: 'api' };
  return (await insertRows(db, 'evals', [row], 'on conflict (org_id, lens_id, eval_id) do nothing')) === 1;
}

export function createEval(
  deps: Pick<EvalDeps, 'tenancy'>,
  actor: Actor,
  lens: LensReference,
  evalCase: EvalCase,
): Promise<StoredEval> {
  return runAudited(deps, actor, async (db) => {
    if (!(await insertEval(db, lens.lensId, evalCase)))
      throw new Problem(
        'conflict',
        `Lens ${lens.name} already has an eval “${evalCase.id}”. Change that eval, or choose another id.`,
        { param: 'id' },
      );
    return {
      result: (await findEval(db, lens.lensId, evalCase.id))!,
      action: 'eval.create',
      objectId: `${lens.name}/${evalCase.id}`,
      after: evalCase,
    };
  });
}

export async function changeEval(
  deps: EvalDeps,
  actor: Actor,
  lens: LensReference,
  target: EditTarget,
  change: Partial<EvalCase>,
): Promise<StoredEval> {
  const fileCase = await editEvalFile(deps, actor, lens, target, change);
  return runAudited(deps, actor, async (db) => {
    const previousCase = fileCase ?? (await readEditableEval(db, lens, target)).evalCase;
    const changedCase = { ...previousCase, ...change, id: target.id };
    const { question, expect, paraphrases, choices } = changedCase;
    if (!fileCase)
      await db.run(
        `update svc.evals set question = $3, expect = $4, paraphrases = $5, choices = $6, updated_at = now() where lens_id = $1 and eval_id = $2`,
        [lens.lensId, target.id, question, JSON.stringify(expect), paraphrases, choices && JSON.stringify(choices)],
      );
    return {
      result: (await findEval(db, lens.lensId, target.id))!,
      action: 'eval.update',
      objectId: `${lens.name}/${target.id}`,
      before: previousCase,
      after: changedCase,
    };
  });
}

export async function deleteEval(deps: EvalDeps, actor: Actor, lens: LensReference, target: EditTarget): Promise<void> {
  const fileCase = await editEvalFile(deps, actor, lens, target, null);
  await runAudited(deps, actor, async (db) => {
    const before = fileCase ?? (await readEditableEval(db, lens, target)).evalCase;
    if (!fileCase) await db.run('delete from svc.evals where lens_id = $1 and eval_id = $2', [lens.lensId, target.id]);
    return { result: undefined, action: 'eval.delete', objectId: `${lens.name}/${target.id}`, before };
  });
}

export const hashEvalRevision = ({ question, expect, paraphrases, choices }: EvalCase): string =>
  computeRevision([question, expect, paraphrases, choices]);

/** `path` is null for a case created through the API. */
async function readEditableEval(
  db: TenantClient,
  { lensId, name }: LensReference,
  { id, ifMatch }: EditTarget,
): Promise<{ evalCase: EvalCase; path: string | null }> {
  const noSuchEval = `Lens ${name} has no eval “${id}”. GET /mgmt/lenses/${name}/evals lists the evals.`;
  const readCase = async () => requireFound(await findEval(db, lensId, id), noSuchEval, 'id');
  const storedEval = await readForEdit(db, 'eval', ifMatch, readCase, hashEvalRevision);
  const { question, expect, paraphrases, choices, origin, path } = storedEval;
  return { evalCase: { id, question, expect, paraphrases, choices }, path: origin === 'file' ? path : null };
}

/** Removes the case if `change` is null. Returns the previous case, or null for a case created through the API. */
async function editEvalFile(
  deps: EvalDeps,
  actor: Actor,
  lens: LensReference,
  target: EditTarget,
  change: Partial<EvalCase> | null,
): Promise<EvalCase | null> {
  const { evalCase, path } = await deps.tenancy.inTenant(actor.orgId, (db) => readEditableEval(db, lens, target));
  if (path === null) return null;
  const members = change && toFileMembers({ ...evalCase, ...change });
  await editProjectFile(
    deps.project,
    actor,
    path,
    { is: { id: target.id }, members },
    {
      message: `${members === null ? 'Delete' : 'Change'} eval ${target.id}`,
      lostMessage: `Eval ${target.id} was just removed from ${path}. List the evals again.`,
    },
  );
  return evalCase;
}

const toFileMembers = ({ question, expect, paraphrases, choices }: EvalCase): Record<string, unknown> => ({
  question,
  expect,
  paraphrases: paraphrases.length > 0 ? paraphrases : undefined,
  choices: choices ?? undefined,
});
