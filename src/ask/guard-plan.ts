// The only way from a plan to a statement. Approved SQL keeps its text; policies, masks and our LIMIT go beneath it.
import { guardEntry } from '../domain/certified/guard-entry.ts';
import { guardRemembered } from '../guard/guard-remembered.ts';
import { governedRelations } from '../lens/governed-relations.ts';
import { FETCH_CAP } from './fetch-rows.ts';
import { guardCompiled } from './governed-read.ts';
import type { GuardedPlan, Plan } from './outcome.ts';

export async function guardPlan(plan: Plan): Promise<GuardedPlan> {
  const { orgId, lens, asker } = plan.granted;
  if (plan.plan === 'compiled') return { plan, statement: await guardCompiled(lens, asker, plan.compiled) };
  const governed = () =>
    ({ dialect: lens.dialect, relations: governedRelations(lens, asker), mode: 'govern' }) as const;
  const statement =
    plan.plan === 'certified'
      ? await guardEntry(lens, asker, plan.entry, FETCH_CAP)
      : await guardRemembered(plan.sql, {
          ...governed(),
          onBehalf: { tenant: orgId, caller: asker.name },
          maxRows: FETCH_CAP,
          shown: 'runs',
        });
  const { policies, masks } = statement.report;
  return {
    plan: { ...plan, scope: { ...plan.scope, row_policies: policies, masks: masks.length > 0 ? masks : undefined } },
    statement,
  };
}
