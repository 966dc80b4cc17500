// Reads and writes eval cases and eval runs.

import { newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { CaseResult, EvalCase, EvalSummary, Regression } from './run-evals.ts';

export interface StoredEval extends EvalCase {
  origin: 'file' | 'api';
  path: string | null;
  createdAt: Date;
  updatedAt: Date;
}
const SELECT = `select eval_id as id, question, expect, paraphrases, choices, origin, path, created_at as "createdAt", updated_at as "updatedAt" from svc.evals`;

export const listEvals = (
  db: TenantClient,
  lensId: string,
  page: { limit: number | null; after: string | null },
): Promise<StoredEval[]> =>
  db.rows<StoredEval>(`${SELECT} where lens_id = $1 and ($2::text is null or eval_id > $2) order by eval_id limit $3`, [
    lensId,
    page.after,
    page.limit,
  ]);

export const findEval = (db: TenantClient, lensId: string, id: string): Promise<StoredEval | null> =>
  db.first<StoredEval>(`${SELECT} where lens_id = $1 and eval_id = $2`, [lensId, id]);

/** Returns false if the id is in use. */
export async function insertEval(db: TenantClient, lensId: string, evalCase: EvalCase): Promise<boolean> {
  const { id: eval_id, question, expect, paraphrases, choices } = evalCase;
  const row = { id: newId(), lens_id: lensId, eval_id, question, expect, paraphrases, choices, origin: 'api' };
  return (await insertRows(db, 'evals', [row], 'on conflict (org_id, lens_id, eval_id) do nothing')) === 1;
}
export async function updateEval(db: TenantClient, lensId: string, evalCase: EvalCase): Promise<void> {
  await db.run(
    `update svc.evals set question = $3, expect = $4, paraphrases = $5, choices = $6, updated_at = now() where lens_id = $1 and eval_id = $2`,
    [
      lensId,
      evalCase.id,
      evalCase.question,
      JSON.stringify(evalCase.expect),
      evalCase.paraphrases,
      toJsonText(evalCase.choices),
    ],
  );
}
export async function deleteEval(db: TenantClient, lensId: string, id: string): Promise<void> {
  await db.run('delete from svc.evals where lens_id = $1 and eval_id = $2', [lensId, id]);
}

export interface StoredEvalRun {
  runId: string;
  lensVersion: number;
  summary: EvalSummary & Regression;
  cases: CaseResult[];
  actor: string;
  createdAt: Date;
}
export async function insertEvalRun(
  db: TenantClient,
  lensId: string,
  run: Omit<StoredEvalRun, 'createdAt'>,
): Promise<void> {
  const { runId: run_id, lensVersion: lens_version, summary, actor } = run;
  const row = { run_id, lens_id: lensId, lens_version, summary, cases: run.cases, actor };
  await insertRows(db, 'eval_runs', [row]);
}
export const listEvalRuns = (
  db: TenantClient,
  lensId: string,
  page: RowPage,
): Promise<Omit<StoredEvalRun, 'cases'>[]> =>
  db.rows<Omit<StoredEvalRun, 'cases'>>(
    `select run_id as "runId", lens_version as "lensVersion", summary, actor, created_at as "createdAt" from svc.eval_runs
     where lens_id = $1 and ($2::uuid is null or run_id < $2) order by run_id desc limit $3`,
    [lensId, page.after, page.limit],
  );

export const findEvalRun = (db: TenantClient, lensId: string, runId: string | null): Promise<StoredEvalRun | null> =>
  db.first<StoredEvalRun>(
    `select run_id as "runId", lens_version as "lensVersion", summary, cases, actor, created_at as "createdAt" from svc.eval_runs
     where lens_id = $1 and ($2::uuid is null or run_id = $2) order by run_id desc limit 1`,
    [lensId, runId],
  );

/** Lists each served lens with its number of cases and its last run, sorted by name. */
export const listLastRuns = (db: TenantClient, page: RowPage) =>
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
  );

const toJsonText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
