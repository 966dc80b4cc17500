import { createId, isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { computeRevision, readForEdit } from '../../platform/tenancy/revision.ts';
import { withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { type EffectiveGrant, listGrantsOfLens, replaceApiGrantsOfLens } from '../identity/grant-repository.ts';
import { findEmptyGroups, findUnknownCallers } from '../identity/grant-subjects.ts';
import type { LiveLenses } from './lens-repository.ts';
import { type LensDeps, requireLens } from './lenses.ts';

type GrantDeps = LensDeps & { authenticator: Pick<Authenticator, 'forgetAll'> };

interface SampleQuestion {
  id: string;
  question: string;
  note: string | null;
  createdBy: string;
  createdAt: Date;
  /** Null if svc hasn't tested the sample question. svc hides an untested question until someone adds it again. */
  triedAt: Date | null;
}
const SAMPLE_COLUMNS = addCamelCaseAliases('id, question, note, created_by, created_at, tried_at');

export const listLensGrants = withOwnTransaction(async (db, name: string): Promise<EffectiveGrant[]> => {
  await requireLens(db, name);
  return listGrantsOfLens(db, name);
});

export async function replaceLensGrants(
  deps: GrantDeps,
  actor: Actor,
  name: string,
  subjects: { callers: string[]; groups: string[] },
  ifMatch: string | null = null,
): Promise<{ grants: EffectiveGrant[]; warnings: string[] }> {
  const grantResult = await runAudited(deps, actor, async (db) => {
    await requireLens(db, name);
    const unknownCallers = await findUnknownCallers(db, subjects.callers);
    if (unknownCallers.size > 0)
      throw new Problem('invalid', `${[...unknownCallers.values()].join(' ')} POST /mgmt/callers creates one.`, {
        param: 'callers',
        details: subjects.callers.flatMap((caller, index) => {
          const message = unknownCallers.get(caller);
          return message ? [{ path: `callers[${index}]`, code: 'unknown_name', message }] : [];
        }),
      });
    const readGrants = () => listGrantsOfLens(db, name);
    const previousGrants = await readForEdit(db, 'grants', ifMatch, readGrants, hashLensGrants);
    await replaceApiGrantsOfLens(db, name, {
      callers: [...new Set(subjects.callers)],
      groups: [...new Set(subjects.groups)],
    });
    const grants = await readGrants();
    return {
      result: { grants, warnings: await findEmptyGroups(db, subjects.groups) },
      ...{ action: 'lens.grants', objectId: name },
      ...{ before: listApiGrants(previousGrants), after: listApiGrants(grants) },
    };
  });
  deps.authenticator.forgetAll();
  return grantResult;
}
const listApiGrants = (grants: EffectiveGrant[]): string[] =>
  grants.filter(({ origin }) => origin === 'lens_api').map(({ subjectKind, subject }) => `${subjectKind} ${subject}`);
/** The revision covers only grants that this route edits, because the others change independently. */
export const hashLensGrants = (grants: EffectiveGrant[]): string => computeRevision(listApiGrants(grants));

export async function readSampleQuestions(
  deps: LensDeps & { lenses: Pick<LiveLenses, 'find'> },
  orgId: string,
  name: string,
): Promise<{ addedQueries: SampleQuestion[]; fileQuestions: string[] }> {
  const addedQueries = await deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    return db.rows<SampleQuestion>(
      `select ${SAMPLE_COLUMNS} from svc.sample_queries where lens = $1 order by created_at, id`,
      [name],
    );
  });
  const sampleQuestions = (await deps.lenses.find(orgId, name))?.lens.sampleQuestions ?? [];
  return {
    addedQueries,
    fileQuestions: sampleQuestions.filter((question) => !addedQueries.some((item) => item.question === question)),
  };
}

/** Test the question before you call this function: svc shows callers only sample questions that it can answer. */
export function addSampleQuestion(
  deps: LensDeps,
  actor: Actor,
  name: string,
  { question, note }: { question: string; note: string | null },
): Promise<SampleQuestion> {
  return runAudited(deps, actor, async (db) => {
    await requireLens(db, name);
    const result = await db.first<SampleQuestion>(
      `insert into svc.sample_queries as s (org_id, id, lens, question, note, created_by, tried_at) values ($1,$2,$3,$4,$5,$6,now())
       on conflict (org_id, lens, question) do update set tried_at = now() where s.tried_at is null returning ${SAMPLE_COLUMNS}`,
      [db.orgId, createId(), name, question, note, actor.name],
    );
    if (!result) throw new Problem('conflict', 'This lens already has this sample question.', { param: 'question' });
    return { result, action: 'sample_query.create', objectKind: 'lens', objectId: name, after: { question } };
  });
}

export function deleteSampleQuestion(deps: LensDeps, actor: Actor, name: string, id: string): Promise<void> {
  return runAudited(deps, actor, async (db) => {
    await requireLens(db, name);
    const sql = 'delete from svc.sample_queries where lens = $1 and id = $2';
    if (!isId(id) || (await db.run(sql, [name, id])) === 0)
      throw new Problem(
        'not_found',
        'No sample question with this ID was created through the API. To change a sample question from lens.yaml, edit the file.',
      );
    return { result: undefined, action: 'sample_query.delete', objectKind: 'lens', objectId: name, before: { id } };
  });
}
