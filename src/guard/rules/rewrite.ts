// Replaces each table with the governed body of its relation, except tables without hidden data. Sets svc's limit. The
// guard parses the SQL that it has written and requires that both trees are equal.
import { LRUCache } from 'lru-cache';
import { type Dialect, UnwritableError } from '../../dialects/dialect.ts';
import { FaultCollector } from '../../dialects/fault-collector.ts';
import { callOf, derivedOf, numberOf, selectOf, starOf } from '../../dialects/make-nodes.ts';
import { areTreesEqual, listNodes, toConstant } from '../../dialects/nodes.ts';
import type { Query } from '../../dialects/tree.ts';
import { Problem } from '../../platform/problem.ts';
import type { GovernedRelation } from '../guarded-sql.ts';
import { addDependentColumns } from './group-rows.ts';
import { keepTables } from './keep-tables.ts';
import { addLookupConditions } from './key-lookups.ts';
import type { ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import { hideTableNames } from './unambiguous-sql.ts';

interface ParsedGovernedBody {
  query: Query;
  /** The tables that the query names without a schema. */
  bareTables: readonly string[];
}
const bodyCache = new LRUCache<string, ParsedGovernedBody>({ max: 500 });

/** Returns the SQL to run and its tree. If svc refuses the SQL, reports errors and returns null. */
export async function rewriteGovernedQuery(
  analysis: StatementAnalysis,
  query: Query,
  maxRows: number | null,
): Promise<{ text: string; query: Query } | null> {
  const { faults, dialect } = analysis;
  const keptSources = keepTables(analysis);
  const hiddenTables = analysis.replaceableTables.filter(({ source }) => !keptSources.has(source));
  addDependentColumns(
    analysis,
    hiddenTables.map(({ source }) => source),
  );
  const replacements = hiddenTables.map(({ source, replace }) => {
    const relation = source.relation!;
    for (const policy of relation.policies) analysis.policies.add(policy);
    return { body: selectBody(relation, source, faults), source, replace };
  });
  for (const { body, source, replace } of replacements) {
    replace({ query: addLookupConditions(await readGovernedBody(analysis, body), source) });
  }
  const limitedQuery = dialect.endsOfSets || maxRows === null ? query : wrapInSelect(query);
  if (maxRows !== null) limitRows(dialect, limitedQuery, maxRows);
  return faults.list.length > 0 ? null : writeAndVerify(dialect, limitedQuery, faults);
}

/** Writes the SQL of a tree and reads it again. Reports an error and returns null if the result is another tree. */
export async function writeAndVerify(
  dialect: Dialect,
  requestedQuery: Query,
  faults: FaultCollector,
): Promise<{ text: string; query: Query } | null> {
  let reason = '';
  const query = dialect.names.nameStays ? hideTableNames(requestedQuery) : requestedQuery;
  try {
    const text = dialect.write(query);
    const rereadFaults = new FaultCollector();
    const rereadQuery = await dialect.read(text, rereadFaults);
    if (rereadQuery && rereadFaults.list.length === 0 && areTreesEqual(rereadQuery, query))
      return { text, query: rereadQuery };
  } catch (error) {
    if (!(error instanceof UnwritableError)) throw error;
    reason = ` (${error.message})`;
  }
  const message = `svc can't apply the row policies to this statement${reason}. Simplify the statement.`;
  faults.add('rewrite', message);
  return null;
}

/** Includes the raw columns only if the statement counts one of them and can't show any of them. */
function selectBody(relation: GovernedRelation, { uses }: ScopeSource, faults: FaultCollector): string {
  if (!uses.raw) return relation.body;
  if (uses.star || uses.natural) {
    const construct = uses.star ? '*' : 'NATURAL JOIN';
    faults.add('masked', `A SELECT that counts a masked field of ${relation.dataset} can't use ${construct} on it.`);
  }
  return relation.raw!.body;
}

/** Refuses a CTE that has the same name as a table in a governed body, because the CTE would replace that table. */
async function readGovernedBody(analysis: StatementAnalysis, text: string): Promise<Query> {
  const { dialect, faults } = analysis;
  const key = `${dialect.name} ${text}`;
  let body = bodyCache.get(key);
  if (!body) {
    const bodyFaults = new FaultCollector();
    const query = await dialect.read(text, bodyFaults);
    if (!query || bodyFaults.list.length > 0) throw createUnusableBodyProblem(bodyFaults);
    const bareTables = [...listNodes(query)].flatMap((node) =>
      node.kind === 'table' && node.schema === null ? [node.name] : [],
    );
    body = { query, bareTables };
    bodyCache.set(key, body);
  }
  for (const name of body.bareTables) {
    if (!analysis.cteNames.has(analysis.fold(name))) continue;
    faults.add('cte_name', `Rename ${name} in WITH, because this name hides a governed table.`);
  }
  return body.query;
}

/** Wraps a set operation in a SELECT, because a LIMIT after the set operation could apply only to its last query. */
const wrapInSelect = (query: Query): Query =>
  query.kind === 'set' ? selectOf([{ value: starOf(), alias: null }], [derivedOf(query, 'rows_of_all')]) : query;

/**
 * Allows one row more than the limit, so that svc notices truncation. Keeps the statement's own LIMIT if it is smaller.
 */
function limitRows({ computedLimit }: Dialect, query: Query, maxRows: number): void {
  const cap = numberOf(maxRows + 1);
  const { limit } = query;
  const ownLimit = limit && toConstant(limit);
  if (typeof ownLimit === 'number' && ownLimit <= maxRows) return;
  if (limit === null || ownLimit === null || typeof ownLimit === 'number') query.limit = cap;
  else if (computedLimit) query.limit = callOf('least', [limit, cap]);
  // Keeps a parameter as the limit, because the fetch stops at svc's limit.
  else if (limit.kind !== 'parameter') query.limit = cap;
}

/** Creates the error for a statement into which svc can't insert the governed bodies. Such a statement must never run. */
const createUnusableBodyProblem = (faults: FaultCollector): Problem =>
  new Problem('guard_refused', "The fields and row policies of the lens can't be applied to this statement.", {
    details: [
      { path: 'sql', code: 'policy', message: "svc can't apply the row policies. Ask the maintainer of the lens." },
    ],
    detail: faults.list.map(({ message }) => message).join('; '),
  });
