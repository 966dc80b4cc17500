// Finds the plan with the same meaning as an approved statement and its parameters. The plan shows the statement's
// filters, and people can use it to start further questions. The plan doesn't affect the grade, which depends on the
// approval.
import { findDialect } from '../../../dialects/dialects.ts';
import { FaultCollector } from '../../../dialects/fault-collector.ts';
import { tokenize } from '../../../dialects/lexer.ts';
import { replaceNodes } from '../../../dialects/nodes.ts';
import { createConstant } from '../../../guard/literals.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import type { CertifiedPlan } from '../../outcome.ts';
import { type LiftedPlan, liftStatement } from './lift-statement.ts';

const MAX_LENGTH = 20_000;
const memoizePlan = memoizeAsync<Lens, LiftedPlan | null>(200);

/** Null if the lens can't express the statement as a plan. The result doesn't depend on the caller. */
export async function findPlanOfCertified(plan: CertifiedPlan, now: Date): Promise<LiftedPlan | null> {
  const { entry, parameters, grantedLens } = plan;
  if (entry.sql.length > MAX_LENGTH) return null;
  const key = JSON.stringify([entry.sql, parameters, now.toISOString().slice(0, 10)]);
  return memoizePlan(grantedLens.lens, key, () => liftCertified(plan, now));
}

async function liftCertified(
  { grantedLens: { lens }, entry, parameters }: CertifiedPlan,
  now: Date,
): Promise<LiftedPlan | null> {
  const dialect = findDialect(lens.dialect);
  const faults = new FaultCollector();
  const boundSql = dialect.parameters.bind(entry.sql, [...tokenize(entry.sql)], Object.keys(entry.parameters), faults);
  const query = await dialect.read(boundSql.sql, faults);
  if (!query || boundSql.names.some((name) => !isScalar(parameters[name]))) return null;
  try {
    const values = boundSql.names.map((name) =>
      createConstant(lens.dialect, parameters[name] as string | number | boolean, entry.parameters[name]!.datatype),
    );
    const boundQuery = replaceNodes(query, (node) => (node.kind === 'parameter' ? values[node.index - 1]! : null));
    const liftResult = await liftStatement(lens, boundQuery, now);
    return 'why' in liftResult ? null : liftResult;
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
