// Converts a plan to a guarded statement. No other module creates a GuardedPlan. Approved SQL runs unchanged if the
// caller can see all rows and columns of its tables. Otherwise the guard adds policies, masks and a LIMIT, and the
// answer states this.
import { guardEntry } from '../../domain/certified/guard-entry.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { guardCompiledSql, guardStatementOverLens } from '../../lens/policies/governed-relations.ts';
import { Problem } from '../../platform/problem.ts';
import type { GrantedLens, GuardedPlan, Plan } from '../outcome.ts';
import { withEvidence } from '../present/certified-evidence.ts';
import { citeStatementSources } from '../present/cite-sources.ts';
import { MAX_FETCHED_ROWS } from './fetch-rows.ts';

export async function guardPlan(plan: Plan, now: Date): Promise<GuardedPlan> {
  const { lens, caller } = plan.grantedLens;
  const hasLens = plan.grantedLens.name !== ''; // SQL on a connection cites no lens.
  if (plan.plan === 'compiled')
    return { plan, statement: await guardCompiledSql(lens, caller, plan.compiledQuery).catch(throwPlanFault) };
  const statement =
    plan.plan === 'certified'
      ? await guardEntry(lens, caller, plan.entry, MAX_FETCHED_ROWS, plan.grantedLens.warehouse)
      : await guardUnapprovedSql(plan.grantedLens, plan.sql);
  const citedPlan =
    plan.plan === 'certified'
      ? await withEvidence(plan, statement, now)
      : { ...plan, citations: hasLens ? citeStatementSources(lens, statement.report) : [] };
  const { policies, masks, beneath } = statement.report;
  const scope = { ...citedPlan.scope, row_policies: policies, masks: masks.length > 0 ? masks : undefined };
  const warnings = beneath?.length ? [...citedPlan.warnings, writeGovernedNote(beneath)] : citedPlan.warnings;
  return { plan: { ...citedPlan, scope, warnings }, statement };
}

/** Guards SQL that a caller or a model wrote. */
export const guardUnapprovedSql = ({ orgId, lens, caller }: GrantedLens, sql: string): Promise<GuardedSql> =>
  guardStatementOverLens(lens, caller, sql, {
    mode: 'govern',
    maxRows: MAX_FETCHED_ROWS,
    shown: 'runs',
    onBehalf: { tenant: orgId, caller: caller.name },
  });

/** If the statement is too large, the message is about the plan, because the caller sent no SQL. */
function throwPlanFault(fault: unknown): never {
  const [detail] = fault instanceof Problem && fault.code === 'guard_refused' ? (fault.details ?? []) : [];
  if (!detail?.code.startsWith('too_many_')) throw fault;
  throw new Problem(
    'invalid',
    `svc can’t run the statement of this plan. ${detail.message} Ask for fewer measures, or send several plans.`,
  );
}

const writeGovernedNote = (reasons: readonly string[]): string =>
  `svc replaced tables in the approved SQL with governed tables (guard.runs). Reasons: ${reasons.join('; ')}.`;
