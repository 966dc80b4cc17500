// Two ways to one answer: what was read first, and what a model says without having seen it. Where both come to the same
// rows for what was asked, the check passes; where they do not, the answer is not verified and says why.
import { holdsResult, type Row } from '../../domain/evals/compare-results.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { governedRelations } from '../../lens/governed-relations.ts';
import { Problem } from '../../platform/problem.ts';
import type { CompiledPlan, GrantedLens, Plan, Verdict, WrittenPlan } from '../outcome.ts';
import { decide, type ModelReader } from '../read/model/decide.ts';
import { compiledOf } from '../read/model/decided-plan.ts';
import { writeSql } from '../read/model/write-sql.ts';
import type { ProbeLimits } from '../read/probe-values.ts';
import { FETCH_CAP } from '../run/fetch-rows.ts';
import { readGoverned } from '../run/governed-read.ts';
import { failed, notApplicable, passed } from './check.ts';

const AGREED = 'A second reading, by a language model, comes to the same answer.';

/** Of what the planner read: the model's own decision. */
export async function withSecondReading(reader: ModelReader, plan: CompiledPlan): Promise<CompiledPlan> {
  const second = await decide(reader);
  switch (second?.kind) {
    case 'unanswerable':
      return doubted(plan, 'A second reading, by a language model, finds that the lens cannot answer all of this.');
    case 'needs_definition': {
      const terms = second.missing.map(({ term }) => `“${term}”`).join(', ');
      return doubted(plan, `A second reading, by a language model, finds that the lens does not define ${terms}.`);
    }
    case 'sql':
      return withVerdict(plan, await compared(reader, plan, await writeSql(reader, { sql: second.sql })));
    case 'plan': {
      const other = await compiledOf(reader, second);
      if (other && typeof other !== 'string' && 'end' in other && other.end === 'clarification')
        return doubted(plan, 'A second reading, by a language model, filters by a value that is not stored.');
      const made = other && typeof other !== 'string' && !('end' in other) ? other : null;
      if (!made) return withVerdict(plan, notApplicable('The language model gave no reading that this lens allows.'));
      return withVerdict(plan, await compared(reader, plan, made));
    }
    default:
      // A model that is away says nothing about an answer that needs none.
      return withVerdict(plan, notApplicable('The language model gave no reading to compare with.'));
  }
}

/** Of what a model read: SQL, asked for in other words, by the writer where there is one. */
export const withOtherSample = async (reader: ModelReader, plan: CompiledPlan): Promise<CompiledPlan> =>
  withVerdict(plan, await compared(reader, plan, await writeSql(reader)));

const withVerdict = (plan: CompiledPlan, verdict: Verdict): CompiledPlan => ({
  ...plan,
  second: verdict.outcome === 'fail' ? { ...verdict, warning: verdict.detail } : verdict,
});
const doubted = (plan: CompiledPlan, detail: string): CompiledPlan => withVerdict(plan, failed(detail));

async function compared(
  { granted, limits }: ModelReader,
  plan: CompiledPlan,
  other: CompiledPlan | WrittenPlan | null,
): Promise<Verdict> {
  if (!other) return notApplicable('The language model gave no second reading to compare with.');
  try {
    if (other.plan === 'compiled' && other.compiled.sql === plan.compiled.sql) return passed(AGREED);
    const [one, two] = [await rowsOf(granted, plan, limits), await rowsOf(granted, other, limits)];
    if (sameAnswer(one, two, plan.intent.dimensions.length)) return passed(AGREED);
    const sentence = other.plan === 'compiled' ? other.scope.sentence : 'other rows, by a statement of its own.';
    return failed(`A second reading, by a language model, comes to another answer: ${sentence}`);
  } catch (fault) {
    if (fault instanceof Problem && !['unreachable', 'timeout'].includes(fault.code))
      return notApplicable('The second reading of the language model does not run.');
    throw fault;
  }
}

async function rowsOf(granted: GrantedLens, plan: Plan, limits: ProbeLimits): Promise<Row[]> {
  const { lens, asker, warehouse } = granted;
  const options = { ...limits, maxRows: FETCH_CAP };
  const fetched =
    plan.plan === 'compiled'
      ? await readGoverned(warehouse, lens, asker, plan.intent, options)
      : await warehouse.fetch(
          await guardSql((plan as WrittenPlan).sql, {
            dialect: lens.dialect,
            relations: await governedRelations(lens, asker),
            mode: 'govern',
            maxRows: FETCH_CAP,
          }),
          options,
        );
  return fetched.rows.map((row) => row.map(cell));
}

/** The second may have more columns, or leave out one of two that name the same thing; never a measure. */
function sameAnswer(first: Row[], second: Row[], keys: number): boolean {
  if (holdsResult(first, second)) return true;
  if (first.length !== second.length || keys < 2 || keys > 4) return false;
  const distinct = (columns: number[]) =>
    new Set(first.map((row) => JSON.stringify(columns.map((at) => row[at])))).size;
  const all = Array.from({ length: keys }, (_, at) => at);
  const whole = distinct(all);
  return all.some((left) => {
    const kept = all.filter((at) => at !== left);
    return (
      distinct(kept) === whole &&
      holdsResult(
        first.map((row) => row.filter((_, at) => at !== left)),
        second,
      )
    );
  });
}

const cell = (value: unknown): Row[number] =>
  value === null || value === undefined
    ? null
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : String(value);
