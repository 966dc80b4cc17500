// Two plans that return different rows never have the same sentence. Compares random plans with variants of themselves,
// in which one condition applies to something else.
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { ZodError } from 'zod';
import { planSchema } from '../../src/contract/plan.ts';
import { compileLens } from '../../src/lens/compile/compile-lens.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import { bindPlan } from '../../src/plan/bind/bind-plan.ts';
import { compilePlan } from '../../src/plan/sql/compile-plan.ts';
import { Problem } from '../../src/platform/problem.ts';
import { writeSentence } from '../../src/reader/canonical/sentence.ts';
import { caseRows } from '../support/case-rows.ts';
import { SeededChoices } from '../support/seeded.ts';
import { untilFileEnds } from '../support/until-file-ends.ts';
import { PlanMaker } from './plan-maker.ts';
import type { Json } from './plan-meaning.ts';
import { cell, openPlanStage, sortRows } from './stage.ts';
import { workshopLens, workshopStatements } from './workshop.ts';

const PLANS = Number(process.env['SVC_PLANS'] ?? 400);
const SEED = Number(process.env['SVC_SEED'] ?? 1);
const VARIANTS = 4;
const CALLER = { name: 'a', groups: [], attributes: {}, superuser: false };
const NOW = new Date('2024-07-01T00:00:00Z');

const { project } = readProject({
  'svc.config.yaml': 'connections: {duckdb: {kind: duckdb}}',
  'lenses/workshop/lens.yaml': workshopLens('duckdb', 'main.'),
});
const { lens } = await compileLens(project.lenses[0]!, { ...project, dialect: 'duckdb' });

const stage = await openPlanStage(['duckdb']);
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
untilFileEnds(() => duckdb.closeSync());
for (const sql of workshopStatements('duckdb')) await duckdb.run(sql);

class ConditionMover extends SeededChoices {
  /** Moves a condition from one list of conditions to another. */
  moveOne(plan: Json): Json {
    const moved = structuredClone({ ...plan, filters: plan.filters ?? [] });
    const sources = listConditionLists(moved).filter((list) => list.length > 0);
    if (sources.length > 0) {
      const source = this.pick(sources);
      const [condition] = source.splice(this.below(source.length), 1);
      // Looks for the lists again, because the condition may have contained some.
      this.pick(listConditionLists(moved)).push(condition);
    }
    return withoutEmptyLists(moved);
  }
}
const LISTS = ['filters', 'where', 'any', 'all', 'when'];
/** The lists of conditions in a plan. Adds an empty list to each part that can have conditions. */
function listConditionLists(part: Json): Json[][] {
  if (typeof part !== 'object' || part === null) return [];
  if ((part.fn && !part.of) || part.exists || part.not_exists) part.where ??= [];
  return Object.entries<Json>(part).flatMap(([key, value]) => [
    ...(LISTS.includes(key) ? [value] : []),
    ...listConditionLists(value),
  ]);
}
const withoutEmptyLists = (plan: Json): Json =>
  JSON.parse(JSON.stringify(plan, (key, value) => (LISTS.includes(key) && value.length === 0 ? undefined : value)));

/** The plan's statement and sentence, or null if svc refuses the plan. */
async function compile(plan: Json): Promise<{ sql: string; sentence: string } | null> {
  try {
    const boundPlan = bindPlan(lens!, planSchema.parse(plan), NOW);
    const { sql } = await compilePlan(lens!, boundPlan, CALLER, { maxRows: 100 });
    return { sql, sentence: writeSentence(lens!, boundPlan) };
  } catch (fault) {
    if (fault instanceof Problem || fault instanceof ZodError) return null;
    throw fault;
  }
}
const fetchRows = async (sql: string): Promise<string> =>
  sortRows((await duckdb.runAndReadAll(sql)).getRowsJson().map((row) => row.map(cell))).join('\n');

it.each<[string, object, string]>(caseRows(import.meta.dirname, 'sentences.jsonl'))(
  'writes %s',
  async (_about, plan, sentence) => {
    const { body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
    expect(body.scope?.sentence ?? body.error).toBe(sentence);
  },
);

it('writes different sentences for plans with different rows', async () => {
  const maker = new PlanMaker(SEED);
  const mover = new ConditionMover(SEED);
  const plansBySentence = new Map<string, Map<string, Json>>();
  for (let planCount = 0; planCount < PLANS; planCount++) {
    const { limit, limit_per, ...plan } = maker.plan();
    for (const variant of [plan, ...Array.from({ length: VARIANTS }, () => mover.moveOne(plan))]) {
      const compiled = await compile(variant);
      if (!compiled) continue;
      const plans = plansBySentence.get(compiled.sentence) ?? new Map<string, Json>();
      plansBySentence.set(compiled.sentence, plans.set(compiled.sql, variant));
    }
  }
  const alike: Json[] = [];
  for (const [sentence, plans] of plansBySentence) {
    if (plans.size === 1) continue;
    const rows = await Promise.all([...plans.keys()].map(fetchRows));
    if (new Set(rows).size > 1)
      alike.push({ sentence, plans: [...plans.values()].map((x) => JSON.stringify(x)), rows });
  }
  expect(alike).toEqual([]);
  expect(plansBySentence.size).toBeGreaterThan(PLANS);
});
