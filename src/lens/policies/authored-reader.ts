// Parses the expressions in a lens with the parser of the dialect, and caches the result.
import { LRUCache } from 'lru-cache';
import type { DialectName } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { compute, nullLiteral } from '../../dialects/make-nodes.ts';
import { replaceNodes } from '../../dialects/nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { readSingleExpression } from '../../guard/analyze-expression.ts';
import { Problem } from '../../platform/problem.ts';
import type { Lens } from '../model/lens.ts';
import { findAttributes, replaceAttributes } from '../model/sql-words.ts';

/** Parses `sql` and replaces the caller's attributes with `attributeValues`, in order. */
export type AuthoredExpressionReader = (sql: string, attributeValues?: readonly Expression[]) => Expression;

/** Returns null for every expression, for checks that only need to know whether a plan compiles. */
export const readAsNull: AuthoredExpressionReader = () => nullLiteral();

const nodeCache = new LRUCache<string, { node: Expression | null }>({ max: 20_000 });
const readerByLens = new WeakMap<Lens, Promise<AuthoredExpressionReader>>();

export function getAuthoredReader(lens: Lens): Promise<AuthoredExpressionReader> {
  const cachedReader = readerByLens.get(lens);
  if (cachedReader) return cachedReader;
  const readerPromise = createAuthoredReader(lens);
  readerByLens.set(lens, readerPromise);
  readerPromise.catch(() => readerByLens.delete(lens));
  return readerPromise;
}

async function createAuthoredReader({
  dialect,
  datasets,
  metrics,
  rowPolicies,
}: Lens): Promise<AuthoredExpressionReader> {
  const authoredTexts = [
    ...datasets.flatMap(({ fields }) => fields.map(({ expression }) => expression)),
    ...metrics.flatMap(({ expression, filter }) => [expression, filter]),
    ...rowPolicies.map(({ filter }) => filter),
  ];
  const nodes = new Map<string, Expression | null>();
  for (const sql of authoredTexts)
    if (sql !== null && !nodes.has(sql)) nodes.set(sql, await parseAuthoredExpression(dialect, sql));
  return (sql, attributeValues = []) => {
    const node = nodes.get(sql);
    if (!node) throw new Problem('invalid', 'An expression of the lens is no longer valid. Deploy the lens again.');
    return attributeValues.length > 0 ? replaceAttributePlaceholders(node, attributeValues) : node;
  };
}

async function parseAuthoredExpression(dialect: DialectName, sql: string): Promise<Expression | null> {
  const key = `${dialect} ${sql}`;
  const cachedEntry = nodeCache.get(key);
  if (cachedEntry) return cachedEntry.node;
  let attributeCount = 0;
  const node = await readSingleExpression(
    dialect,
    findAttributes(sql).length > 0 ? replaceAttributes(sql, () => `'${PLACEHOLDER_MARK}${attributeCount++}'`) : sql,
  );
  const nodeWithFractions = node && preserveFractions(dialect, node);
  nodeCache.set(key, { node: nodeWithFractions });
  return nodeWithFractions;
}

/** Keeps the decimal places of a quotient if the engine would truncate them. */
function preserveFractions(dialect: DialectName, tree: Expression): Expression {
  const { divisible, dividesByPlaces } = findDialect(dialect).compiling;
  if (!divisible || !dividesByPlaces) return tree;
  const withDivisibleOperands = (node: Expression): Expression =>
    replaceNodes(node, (inner) => {
      if (inner.kind !== 'arithmetic' || inner.operator !== '/' || inner.left === null) return null;
      return compute(divisible(withDivisibleOperands(inner.left)), '/', withDivisibleOperands(inner.right));
    });
  return withDivisibleOperands(tree);
}

/** A private-use character, which no author's SQL contains. */
const PLACEHOLDER_MARK = '\u{f0000}';
/**
 * Returns the index of the caller's attribute that replaces this literal, or null for a literal that an author wrote.
 */
export const parseAttributeIndex = (literal: string): number | null =>
  literal.startsWith(PLACEHOLDER_MARK) ? Number(literal.slice(PLACEHOLDER_MARK.length)) : null;

const replaceAttributePlaceholders = (node: Expression, attributeValues: readonly Expression[]): Expression =>
  replaceNodes(node, (child) => {
    const attributeIndex = child.kind === 'literal' ? parseAttributeIndex(child.value) : null;
    return attributeIndex === null ? null : (attributeValues[attributeIndex] ?? null);
  });
