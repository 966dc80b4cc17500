// Adds evidence to a certified answer: filters, time window, units and sources of the plan that is equivalent to the
// approved SQL. Without an equivalent plan, the answer lists the parameters as filters and states that the SQL may
// restrict the rows further.
import type { Citation, Scope } from '../../contract/ask.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { type Grouping, listInnerMeasures, type Measure } from '../../plan/lens-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { memoizeAsync } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import type { CertifiedPlan } from '../outcome.ts';
import { findPlanOfCertified } from '../prove/lift/find-plan-of-certified.ts';
import { MAX_FETCHED_ROWS } from '../run/fetch-rows.ts';
import { citeSources, citeStatementSources } from './cite-sources.ts';

/** The units, scope and citations that the equivalent plan adds to a certified plan. */
interface PlanEvidence {
  units: CertifiedPlan['units'];
  scope: Partial<Scope>;
  citations: Citation[];
}

/** Cached, because the evidence doesn't depend on the caller. */
const memoizeEvidence = memoizeAsync<Lens, PlanEvidence>(200);

export async function withEvidence(plan: CertifiedPlan, statement: GuardedSql, now: Date): Promise<CertifiedPlan> {
  const key = JSON.stringify([plan.entry.certId, plan.parameters, now.toISOString().slice(0, 10), statement.sql]);
  const { units, scope, citations } = await memoizeEvidence(
    plan.grantedLens.lens,
    key,
    async () => (await findEvidenceOfPlan(plan, now)) ?? createStatementEvidence(plan, statement),
  );
  return { ...plan, units, scope: { ...plan.scope, ...scope }, citations: [...plan.citations, ...citations] };
}

async function findEvidenceOfPlan(plan: CertifiedPlan, now: Date): Promise<PlanEvidence | null> {
  const { lens } = plan.grantedLens;
  const equalPlan = await findPlanOfCertified(plan, now);
  if (!equalPlan) return null;
  try {
    const compiledQuery = await compilePlan(lens, equalPlan.lensPlan, SVC_CALLER, { maxRows: MAX_FETCHED_ROWS });
    const outputs = [...equalPlan.lensPlan.dimensions, ...equalPlan.lensPlan.measures];
    const units = new Map(
      compiledQuery.columns.map(({ unit }, index) => [
        equalPlan.columns[index]!,
        computesValue(outputs[index]!) ? null : unit,
      ]),
    );
    const { filters, joins, metricsUsed, time } = compiledQuery;
    const terms = lens.definitions.filter(({ metric }) => metric !== null && metricsUsed.includes(metric));
    return {
      units: compiledQuery.columns.map((_, index) => units.get(index) ?? null),
      scope: { filters, joins, time: time && { ...time, timezone: lens.timezone } },
      citations: [
        ...citeSources(lens, equalPlan.lensPlan, compiledQuery),
        ...terms.map(
          ({ term, meaning }): Citation => ({ kind: 'definition', name: term, lens: lens.name, text: meaning }),
        ),
      ],
    };
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
}

/** The SQL can change the unit of a value that it computes, for example to thousands. */
const computesValue = (output: Grouping | Measure): boolean =>
  'value' in output ||
  ('fn' in output &&
    (output.fn === 'product' || output.fn === 'quotient' || listInnerMeasures(output).some(computesValue)));

const createStatementEvidence = (plan: CertifiedPlan, statement: GuardedSql): PlanEvidence => ({
  units: [],
  scope: { filters: createParameterFilters(plan, statement), may_restrict_more: true },
  citations: citeStatementSources(plan.grantedLens.lens, statement.report).filter(({ kind }) => kind === 'dataset'),
});

const COMPARISON_OPERATOR_PATTERN = String.raw`(=|<>|!=|>=|<=|>|<|ilike\b|like\b)`;

/** The column that the SQL compares with each parameter, otherwise the parameter's name. */
function createParameterFilters(
  { grantedLens, entry, parameters }: CertifiedPlan,
  statement: GuardedSql,
): Scope['filters'] {
  return Object.entries(parameters).map(([name, value]) => {
    const comparison = new RegExp(String.raw`([\w"\x60]+)\s*${COMPARISON_OPERATOR_PATTERN}\s*:${name}\b`, 'i').exec(
      entry.sql,
    );
    const column = comparison?.[1]?.replaceAll(/["`]/g, '').toLowerCase();
    const fields = statement.report.columns.filter((item) => item.toLowerCase().endsWith(`.${column}`));
    const isResolved =
      fields.length === 1 &&
      grantedLens.lens.datasets.some(({ name: dataset }) => fields[0]!.startsWith(`${dataset}.`));
    return {
      field: isResolved ? fields[0]! : `:${name}`,
      op: isResolved ? comparison![2]!.toLowerCase() : '=',
      values: [value],
    };
  });
}
