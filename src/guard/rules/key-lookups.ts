// Copies conditions on a key below the optimization barrier of a row policy, so that the engine can use an index
// instead of reading every row. This is safe, because comparing a key with literals of the key's type can't fail on a
// hidden row. The condition also remains above the barrier.
import { allOf, columnOf } from '../../dialects/make-nodes.ts';
import { listConjuncts } from '../../dialects/nodes.ts';
import type { Comparison, Expression, In, Query } from '../../dialects/tree.ts';
import type { NameScope, ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';

export function recordKeyLookups(analysis: StatementAnalysis, where: Expression, scope: NameScope): void {
  for (const part of listConjuncts(where)) {
    const comparison = findKeyComparison(part);
    const keyColumn = comparison && resolveKeyColumn(analysis, comparison.key, scope);
    if (!keyColumn || !comparison.values.every((value) => fitsDatatype(keyColumn.datatype, value))) continue;
    keyColumn.source.lookupConditions.push(
      comparison.withKey(columnOf(keyColumn.source.relation!.dataset, keyColumn.name)),
    );
  }
}

interface KeyComparison {
  key: Expression;
  values: Expression[];
  /** Returns the same condition with another expression as its key. */
  withKey(key: Expression): Comparison | In;
}

function findKeyComparison(where: Expression): KeyComparison | null {
  if (where.kind === 'compare' && where.operator === '=') {
    return { key: where.left, values: [where.right], withKey: (left) => ({ ...where, left }) };
  }
  if (where.kind !== 'in' || where.negated || 'kind' in where.among) return null;
  return { key: where.value, values: where.among, withKey: (value) => ({ ...where, value }) };
}

/**
 * Returns the primary key column that a column refers to. Returns null if another source in FROM can have a column with
 * that name.
 */
function resolveKeyColumn(
  analysis: StatementAnalysis,
  key: Expression,
  { sources }: NameScope,
): { source: ScopeSource; name: string; datatype: 'integer' | 'string' } | null {
  if (key.kind !== 'column' || key.path.length > 2) return null;
  const name = key.path.at(-1)!;
  const candidateSources =
    key.path.length === 2 ? sources.filter(({ alias }) => analysis.isSameName(alias, key.path[0]!)) : sources;
  const [source, ...otherSources] = candidateSources.filter(({ columns }) =>
    columns.some((column) => analysis.isSameName(column.name, name)),
  );
  const datatype = source?.relation?.lookups?.[name];
  if (!source || otherSources.length > 0 || source.uses.renamed || datatype === undefined) return null;
  return { source, name, datatype };
}

const MAX_INTEGER_KEY = 2 ** 31 - 1;

/** Accepts only literals of the key's type. A number must also fit the smallest integer type. */
function fitsDatatype(datatype: 'integer' | 'string', value: Expression): boolean {
  if (value.kind !== 'literal') return false;
  if (datatype === 'string') return value.type === 'string';
  return value.type === 'number' && /^-?\d+$/.test(value.value) && Math.abs(Number(value.value)) <= MAX_INTEGER_KEY;
}

/** Adds the copied key conditions of a source to the inner query of its governed body. */
export function addLookupConditions(body: Query, { lookupConditions: lookups }: ScopeSource): Query {
  if (lookups.length === 0 || body.kind !== 'set' || body.left.kind !== 'select') return body;
  const where = allOf([...listConjuncts(body.left.where), ...lookups]);
  return { ...body, left: { ...body.left, where } };
}
