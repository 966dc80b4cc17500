// Creates and changes eval cases. Edits of file-based cases go to their files.
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { type EditTarget, readForEdit, revisionOf } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import { editInFile } from '../project/edit-project.ts';
import type { Members } from '../project/files/rewrite-yaml.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import * as rows from './eval-repository.ts';
import type { EvalCase } from './run-evals.ts';

interface LensRef {
  lensId: string;
  name: string;
}
interface EvalDeps {
  tenancy: Tenancy;
  project: ProjectDeps;
}

export const listEvals = (deps: Pick<EvalDeps, 'tenancy'>, orgId: string, { lensId }: LensRef, page: RowPage) =>
  deps.tenancy.inTenant(orgId, (db) => rows.listEvals(db, lensId, page));

export const listEvalRuns = (deps: Pick<EvalDeps, 'tenancy'>, orgId: string, { lensId }: LensRef, page: RowPage) =>
  deps.tenancy.inTenant(orgId, (db) => rows.listEvalRuns(db, lensId, page));

export async function getEvalRun(
  deps: Pick<EvalDeps, 'tenancy'>,
  orgId: string,
  { lensId, name }: LensRef,
  id: string,
): Promise<rows.StoredEvalRun> {
  const evalRun = isId(id) ? await deps.tenancy.inTenant(orgId, (db) => rows.findEvalRun(db, lensId, id)) : null;
  if (evalRun) return evalRun;
  throw new Problem(
    'not_found',
    `Lens ${name} has no finished eval run with this id. GET /mgmt/lenses/${name}/evals/runs lists them.`,
  );
}

export const listLastEvalRuns = (deps: Pick<EvalDeps, 'tenancy'>, orgId: string, page: RowPage) =>
  deps.tenancy.inTenant(orgId, (db) => rows.listLastRuns(db, page));

export function createEval(
  deps: Pick<EvalDeps, 'tenancy'>,
  actor: Actor,
  lens: LensRef,
  evalCase: EvalCase,
): Promise<rows.StoredEval> {
  return runAudited(deps, actor, async (db) => {
    if (!(await rows.insertEval(db, lens.lensId, evalCase)))
      throw new Problem(
        'conflict',
        `Lens ${lens.name} already has an eval “${evalCase.id}”. Change that eval, or choose another id.`,
        { param: 'id' },
      );
    return {
      result: (await rows.findEval(db, lens.lensId, evalCase.id))!,
      action: 'eval.create',
      objectId: `${lens.name}/${evalCase.id}`,
      after: evalCase,
    };
  });
}

export async function changeEval(
  deps: EvalDeps,
  actor: Actor,
  lens: LensRef,
  target: EditTarget,
  change: Partial<EvalCase>,
): Promise<rows.StoredEval> {
  const previousFileCase = await editEvalFile(deps, actor, lens, target, (evalCase) =>
    evalMembers({ ...evalCase, ...change }),
  );
  return runAudited(deps, actor, async (db) => {
    const previousCase = previousFileCase ?? (await requireEditable(db, lens, target));
    const changedCase = { ...previousCase, ...change, id: target.id };
    if (!previousFileCase) await rows.updateEval(db, lens.lensId, changedCase);
    return {
      result: (await rows.findEval(db, lens.lensId, target.id))!,
      action: 'eval.update',
      objectId: `${lens.name}/${target.id}`,
      before: previousCase,
      after: changedCase,
    };
  });
}

export async function removeEval(deps: EvalDeps, actor: Actor, lens: LensRef, target: EditTarget): Promise<void> {
  const removedFileCase = await editEvalFile(deps, actor, lens, target, () => null);
  await runAudited(deps, actor, async (db) => {
    const removedCase = removedFileCase ?? (await requireEditable(db, lens, target));
    if (!removedFileCase) await rows.deleteEval(db, lens.lensId, target.id);
    return { result: null, action: 'eval.delete', objectId: `${lens.name}/${target.id}`, before: removedCase };
  });
}

export const evalRevision = ({ question, expect, paraphrases, choices }: EvalCase): string =>
  revisionOf([question, expect, paraphrases, choices]);

async function requireEditable(db: TenantClient, lens: LensRef, { id, ifMatch }: EditTarget): Promise<EvalCase> {
  const readCase = async () => {
    const row = await rows.findEval(db, lens.lensId, id);
    if (row) return row;
    throw new Problem(
      'not_found',
      `Lens ${lens.name} has no eval “${id}”. GET /mgmt/lenses/${lens.name}/evals lists them.`,
      { param: 'id' },
    );
  };
  const { question, expect, paraphrases, choices } = await readForEdit(db, 'eval', ifMatch, readCase, evalRevision);
  return { id, question, expect, paraphrases, choices };
}

/**
 * Edits a file-based case in its file and returns the previous content. Returns null for a case created through the
 * API.
 */
async function editEvalFile(
  deps: EvalDeps,
  actor: Actor,
  lens: LensRef,
  target: EditTarget,
  toMembers: (currentCase: EvalCase) => Members,
): Promise<EvalCase | null> {
  const storedCase = await deps.tenancy.inTenant(actor.orgId, async (db) => {
    const row = await rows.findEval(db, lens.lensId, target.id);
    return row?.origin === 'file' ? { known: await requireEditable(db, lens, target), path: row.path! } : null;
  });
  if (!storedCase) return null;
  const { known: currentMembers, path } = storedCase;
  const newMembers = toMembers(currentMembers);
  await editInFile(
    deps.project,
    actor,
    path,
    { is: { id: target.id }, members: newMembers },
    {
      message: `${newMembers === null ? 'Delete' : 'Change'} eval ${target.id}`,
      lostMessage: `Eval ${target.id} was just removed from ${path}. List the evals again.`,
    },
  );
  return currentMembers;
}

const evalMembers = ({ question, expect, paraphrases, choices }: EvalCase): Record<string, unknown> => ({
  question,
  expect,
  paraphrases: paraphrases.length > 0 ? paraphrases : undefined,
  choices: choices ?? undefined,
});
