import { expect, it } from 'vitest';
import { planSchema } from '../../src/contract/plan.ts';
import { findDialect } from '../../src/dialects/dialects.ts';
import { columnOf } from '../../src/dialects/make-nodes.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { compileLens } from '../../src/lens/compile/compile-lens.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import type { Caller } from '../../src/lens/model/lens.ts';
import { createGovernedRelations } from '../../src/lens/policies/governed-relations.ts';
import { bindPlan } from '../../src/plan/bind/bind-plan.ts';
import { compilePlan } from '../../src/plan/sql/compile-plan.ts';
import { CASES } from './cases.ts';
import type { Plan } from './stage.ts';
import { workshopLens } from './workshop.ts';

const CALLER: Caller = { name: 'a', groups: [], attributes: {}, superuser: false };
/** plans.test.ts runs the plans on the other engines. */
const DIALECTS = ['clickhouse', 'trino', 'redshift', 'snowflake', 'bigquery', 'databricks', 'sqlserver'];

/** Statements that only the compiler may write, and statements with names that the parser would split into paths. */
const UNREAD: Record<string, RegExp> = {
  redshift: /^(?:running total|a running total)/,
  bigquery: /^(?:along a relationship to itself|every site under its role|bins of two widths of one field)/,
};
/** Without rows, a plan with `every` period needs an explicit period. */
const measureTime = (plan: Plan): Plan =>
  plan.every?.includes('.') && !plan.time
    ? { ...plan, time: { field: plan.every.replace(/\.\w+$/, ''), during: '2024' } }
    : plan;

it.each(DIALECTS)('compiles plans to SQL of %s that svc can read back', { timeout: 60_000 }, async (dialect) => {
  const { project } = readProject({
    'svc.config.yaml': `connections: {${dialect}: {kind: postgres}}`,
    'lenses/workshop/lens.yaml': workshopLens(dialect, 'shop.'),
  });
  const { lens, problems } = await compileLens(project.lenses[0]!, { ...project, dialect });
  expect(problems).toEqual([]);
  const relations = await createGovernedRelations(lens!, CALLER);
  const now = new Date('2024-07-01T00:00:00Z');
  const failures: string[] = [];
  for (const { name, plan } of CASES) {
    if (UNREAD[dialect]?.test(name)) continue;
    const { median, listed } = findDialect(dialect).compiling;
    const [text, distinct] = [JSON.stringify(plan), /"list".*"distinct":true/];
    if (text.includes('"median"') && median === null) continue;
    if (text.includes('"list"') && listed(columnOf('x'), ',', distinct.test(text)) === null) continue;
    try {
      const boundPlan = bindPlan(lens!, planSchema.parse(measureTime(plan)), now);
      const { sql, extraColumns } = await compilePlan(lens!, boundPlan, CALLER, { maxRows: 100 });
      await guardSql(sql, { dialect, relations, mode: 'verify', extraColumns, maxRows: null });
    } catch (fault) {
      failures.push(`${name}: ${(fault as Error).message}`);
    }
  }
  expect(failures).toEqual([]);
});
