// Compiles a plan to SQL for one caller. The output is deterministic, so svc caches it with the lens. Each value in the
// plan becomes a single literal in the SQL, and no join repeats rows.
import { UnwritableError } from '../../dialects/dialect.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { formatSql } from '../../dialects/format-sql.ts';
import { numberOf } from '../../dialects/make-nodes.ts';
import type { Query } from '../../dialects/tree.ts';
import { createJoinFact } from '../../lens/model/facts.ts';
import type { Caller, Lens } from '../../lens/model/lens.ts';
import { type AuthoredExpressionReader, getAuthoredReader, readAsNull } from '../../lens/policies/authored-reader.ts';
import { memoize } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { listScopeFilters, type ScopeFilter } from '../applied-scope.ts';
import { formatField, type LensPlan } from '../lens-plan.ts';
import { Compilation, type CompiledColumn } from './compilation.ts';
import { compileListing } from './compile-listing.ts';
import { compileMeasures } from './compile-measures.ts';

export interface CompiledQuery {
  sql: string;
  query: Query;
  columns: CompiledColumn[];
  /** Physical columns that the SQL reads and that aren't fields: keys, and inputs of field expressions. */
  extraColumns: string[];
  filters: ScopeFilter[];
  time: { field: string; from: string; to: string } | null;
  rowPolicies: string[];
  masks: string[];
  /** Joins in the form `orders.customer_id = customers.customer_id as customer`. */
  joins: string[];
  /** Sentences about joins, for cases in which a reader could expect a join along another path. */
  routes: string[];
  datasetsUsed: string[];
  /** The relationships that the query depends on, in the form of the lens's facts. */
  relationshipsUsed: { of: string; says: string }[];
  /** Fields in the form `dataset.field`. */
  fieldsUsed: string[];
  /** Datasets whose rows the SQL identifies by their primary key. */
  keysUsed: string[];
  metricsUsed: string[];
  notes: string[];
  ordered: boolean;
  isListing: boolean;
}
export interface CompileOptions {
  /** Number of rows to fetch. The SQL asks for one more to detect truncation. */
  maxRows: number;
}
const cacheCompiledPlan = memoize<Lens, CompiledQuery>(200);

export async function compilePlan(
  lens: Lens,
  plan: LensPlan,
  caller: Caller,
  options: CompileOptions,
): Promise<CompiledQuery> {
  const readAuthored = await getAuthoredReader(lens);
  return cacheCompiledPlan(lens, JSON.stringify([plan, caller, options]), () => {
    const compiledTree = compileInContext(readAuthored, lens, plan, caller, options);
    return { ...compiledTree, sql: formatSql(writeStatement(lens, compiledTree.query)) };
  });
}

function writeStatement({ dialect }: Lens, query: Query): string {
  try {
    return findDialect(dialect).write(query);
  } catch (error) {
    if (!(error instanceof UnwritableError)) throw error;
    throw new Problem('invalid', `This warehouse does not support the question: ${error.message}.`);
  }
}

export const checkPlan = (lens: Lens, plan: LensPlan, caller: Caller): void =>
  void compileInContext(readAsNull, lens, plan, caller, { maxRows: 1 });

function compileInContext(
  readAuthored: AuthoredExpressionReader,
  lens: Lens,
  plan: LensPlan,
  caller: Caller,
  options: CompileOptions,
): Omit<CompiledQuery, 'sql'> {
  const compilation = new Compilation(lens, caller, readAuthored);
  const isListing = plan.measures.length === 0 && !plan.grouped;
  const fetchedRows = plan.limit === null ? options.maxRows + 1 : Math.min(plan.limit, options.maxRows + 1);
  const rowLimit = { limit: numberOf(fetchedRows), offset: plan.offset ? numberOf(plan.offset) : null };
  if (isListing && plan.dimensions.length === 0)
    compilation.addFault('Name at least one metric or dimension.', 'metrics');
  if (isListing && plan.having.length > 0)
    compilation.addFault('A condition on groups needs a metric in the result.', 'filters');
  compilation.throwFaults();
  const tree = isListing ? compileListing(compilation, plan, rowLimit) : compileMeasures(compilation, plan, rowLimit);
  compilation.throwFaults();
  const { time } = plan;
  return {
    ...tree,
    extraColumns: [...compilation.extraColumns].sort(),
    filters: listScopeFilters(plan, lens),
    time: time && { field: formatField(time.field), from: time.from, to: time.to },
    rowPolicies: [...compilation.policies],
    masks: [...compilation.masks],
    joins: [...compilation.joins],
    routes: [...compilation.routes],
    datasetsUsed: [...compilation.datasets],
    relationshipsUsed: [...compilation.relationships].map(createJoinFact),
    fieldsUsed: [...compilation.fields],
    keysUsed: [...compilation.keys],
    metricsUsed: [...compilation.metrics],
    notes: [...compilation.notes],
    isListing,
  };
}
