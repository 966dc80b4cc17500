// Finds the plan with the same meaning as an approved statement and its parameters. The plan shows the statement's
// filters, and people can continue from it. It doesn't affect the grade, which depends on the approval.
import { dialectOf } from '../../../dialects/dialects.ts';
import { Faults } from '../../../dialects/faults.ts';
import { tokens } from '../../../dialects/lexer.ts';
import { replaceNodes } from '../../../dialects/nodes.ts';
import { constant } from '../../../guard/literals.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import type { CertifiedPlan } from '../../outcome.ts';
import { type Lifted, liftStatement } from './lift-statement.ts';

const MAX_LENGTH = 20_000;
const cachedPlan = memoizeAsync<Lens, Lifted | null>(200);

/** Null if the lens can't express the statement as a plan. The result doesn't depend on the caller. */
export async function planOfCertified(plan: CertifiedPlan, now: Date): Promise<Lifted | null> {
  const { entry, parameters, granted } = plan;
  if (entry.sql.length > MAX_LENGTH) return null;
  const key = JSON.stringify([entry.sql, parameters, now.toISOString().slice(0, 10)]);
  return cachedPlan(granted.lens, key, () => lifted(plan, now));
}

async function lifted({ granted: { lens }, entry, parameters }: CertifiedPlan, now: Date): Promise<Lifted | null> {
  const dialect = dialectOf(lens.dialect);
  const faults = new Faults();
  const bound = dialect.parameters.bind(entry.sql, [...tokens(entry.sql)], Object.keys(entry.parameters), faults);
  const query = await dialect.read(bound.sql, faults);
  if (!query || bound.names.some((name) => !isScalar(parameters[name]))) return null;
  try {
    const values = bound.names.map((name) =>
      constant(lens.dialect, parameters[name] as string | number | boolean, entry.parameters[name]!.datatype),
    );
    const put = replaceNodes(query, (node) => (node.kind === 'parameter' ? values[node.index - 1]! : null));
    const found = await liftStatement(lens, put, now);
    return 'why' in found ? null : found;
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
