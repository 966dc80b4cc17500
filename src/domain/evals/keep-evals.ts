// Making and changing eval cases by API. Files own theirs: those are refused here, naming the file.
import { Problem } from '../../platform/problem.ts';
import { readForEdit, revisionOf } from '../../platform/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenant.ts';
import { type Actor, audited } from '../audit/audited.ts';
import { deleteEval, findEval, insertEval, type StoredEval, updateEval } from './eval-repository.ts';
import type { EvalCase } from './run-evals.ts';

interface LensRef {
  lensId: string;
  name: string;
}
interface KeepDeps {
  tenancy: Tenancy;
}

export function createEval(deps: KeepDeps, actor: Actor, lens: LensRef, one: EvalCase): Promise<StoredEval> {
  return audited(deps, actor, async (db) => {
    if (!(await insertEval(db, lens.lensId, one)))
      throw new Problem(
        'conflict',
        `Lens ${lens.name} has an eval “${one.id}” already. Change that one, or take another id.`,
        { param: 'id' },
      );
    return {
      result: (await findEval(db, lens.lensId, one.id))!,
      action: 'eval.create',
      objectKind: 'eval',
      objectId: `${lens.name}/${one.id}`,
      after: one,
    };
  });
}

export function changeEval(
  deps: KeepDeps,
  actor: Actor,
  lens: LensRef,
  id: string,
  change: Partial<EvalCase>,
  ifMatch: string | null = null,
): Promise<StoredEval> {
  return audited(deps, actor, async (db) => {
    const before = await editable(db, lens, id, ifMatch);
    const after = { ...before, ...change, id };
    await updateEval(db, lens.lensId, after);
    return {
      result: (await findEval(db, lens.lensId, id))!,
      action: 'eval.update',
      objectKind: 'eval',
      objectId: `${lens.name}/${id}`,
      before,
      after,
    };
  });
}

export async function removeEval(
  deps: KeepDeps,
  actor: Actor,
  lens: LensRef,
  id: string,
  ifMatch: string | null = null,
): Promise<void> {
  await audited(deps, actor, async (db) => {
    const before = await editable(db, lens, id, ifMatch);
    await deleteEval(db, lens.lensId, id);
    return { result: null, action: 'eval.delete', objectKind: 'eval', objectId: `${lens.name}/${id}`, before };
  });
}

export const evalRevision = ({ question, expect, paraphrases, choices }: EvalCase): string =>
  revisionOf([question, expect, paraphrases, choices]);

async function editable(db: TenantClient, lens: LensRef, id: string, ifMatch: string | null): Promise<EvalCase> {
  const read = async () => {
    const row = await findEval(db, lens.lensId, id);
    if (row) return row;
    throw new Problem(
      'not_found',
      `Lens ${lens.name} has no eval “${id}”. GET /mgmt/lenses/${lens.name}/evals lists them.`,
      { param: 'id' },
    );
  };
  const found = await readForEdit(db, 'eval', ifMatch, read, evalRevision);
  if (found.origin === 'file')
    throw new Problem('conflict', `Eval ${id} comes from the file ${found.path}. Change it there and apply.`);
  const { question, expect, paraphrases, choices } = found;
  return { id, question, expect, paraphrases, choices };
}
