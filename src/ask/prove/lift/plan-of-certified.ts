// The plan that means the same as an approved statement with its parameters, so that people can go on from its answer. It
// proves nothing about that answer: what someone makes of the plan is checked and graded like any other.
import { LRUCache } from 'lru-cache';
import { dialectOf } from '../../../dialects/dialects.ts';
import { Faults } from '../../../dialects/faults.ts';
import { tokens } from '../../../dialects/lexer.ts';
import type { Expression, Query } from '../../../dialects/tree.ts';
import { constant } from '../../../guard/literals.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import type { Plan } from '../../../plan/write-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import type { CertifiedPlan } from '../../outcome.ts';
import { liftStatement } from './lift-statement.ts';

const MAX_LENGTH = 20_000;
const MAX_CACHED = 200;
const known = new WeakMap<Lens, LRUCache<string, Promise<Plan | undefined>>>();

/** Undefined if the lens can't say it as a plan. */
export async function planOfCertified(plan: CertifiedPlan, now: Date): Promise<Plan | undefined> {
  const { lens } = plan.granted;
  if (plan.entry.sql.length > MAX_LENGTH) return undefined;
  const plans = known.get(lens) ?? new LRUCache({ max: MAX_CACHED });
  known.set(lens, plans);
  const key = JSON.stringify([plan.entry.sql, plan.parameters, now.toISOString().slice(0, 10)]);
  const before = plans.get(key);
  if (before) return before;
  const found = lifted(plan, now);
  plans.set(key, found);
  found.catch(() => plans.delete(key));
  return found;
}

async function lifted({ granted: { lens }, entry, parameters }: CertifiedPlan, now: Date): Promise<Plan | undefined> {
  const dialect = dialectOf(lens.dialect);
  const faults = new Faults();
  const bound = dialect.parameters.bind(entry.sql, [...tokens(entry.sql)], Object.keys(entry.parameters), faults);
  const query = await dialect.read(bound.sql, faults);
  if (!query || bound.names.some((name) => !isScalar(parameters[name]))) return undefined;
  try {
    const values = bound.names.map((name) =>
      constant(lens.dialect, parameters[name] as string | number | boolean, entry.parameters[name]!.datatype),
    );
    const found = await liftStatement(lens, withValues(query, values), now);
    return 'why' in found ? undefined : found.written;
  } catch (fault) {
    if (fault instanceof Problem) return undefined;
    throw fault;
  }
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The query with the parameters written as constants. It is only read, and never runs. */
const withValues = (query: Query, values: Expression[]): Query =>
  JSON.parse(JSON.stringify(query), (_, node) => (node?.kind === 'parameter' ? values[node.index - 1] : node));
