// Writes "the first n rows of each group" as a canonical string, for ROW_NUMBER, RANK and DENSE_RANK. Functions that
// select the same rows have the same string.
import { toConstant } from '../../../dialects/nodes.ts';
import type { Expression, SortKey, Window } from '../../../dialects/tree.ts';
import type { ExpressionRenderer } from './expression-renderer.ts';
import type { FunctionalDependencies } from './functional-dependencies.ts';
import type { Meaning } from './meaning.ts';
import { UnreadablePartError } from './scope.ts';

const RANK_FUNCTIONS = new Set(['row_number', 'rank', 'dense_rank']);

interface RankLimit {
  name: string;
  over: Window;
  rows: number;
}
/** Returns null if the expression isn't a condition on a rank. */
export function findRankLimit(expression: Expression): RankLimit | null {
  if (expression.kind !== 'compare' || expression.left.kind !== 'call') return null;
  const { name, over } = expression.left;
  if (!over || !RANK_FUNCTIONS.has(name)) return null;
  const { operator } = expression;
  const limitValue = toConstant(expression.right);
  const rows = typeof limitValue === 'number' && operator === '<' ? limitValue - 1 : limitValue;
  const limitsRank = operator === '<=' || operator === '<' || (operator === '=' && rows === 1);
  if (typeof rows !== 'number' || rows < 1 || !limitsRank || over.base !== null || over.frame)
    throw new UnreadablePartError('window');
  return { name, over, rows };
}

/** Returns null if the expression isn't a condition on a rank. */
export function writeRankLimit(
  expression: Expression,
  { mainSource, group }: Pick<Meaning, 'mainSource' | 'group'>,
  text: ExpressionRenderer,
  dependencies: FunctionalDependencies,
): string | null {
  const rankLimit = findRankLimit(expression);
  if (!rankLimit) return null;
  const { name, over, rows } = rankLimit;
  const isUniqueBy = (keys: readonly Expression[]): boolean =>
    group
      ? [...group.values()].every((key) => dependencies.findKnownColumns(keys).has(key))
      : dependencies.determinesRow(keys, mainSource);
  const partition = over.partitionBy;
  const sortKeys: SortKey[] = [];
  const precedingKeys = (): Expression[] => [...partition, ...sortKeys.map(({ value }) => value)];
  for (const key of over.orderBy)
    if (!isUniqueBy(precedingKeys()) && !dependencies.findKnownColumns(precedingKeys()).has(key.value))
      sortKeys.push(key);
  const unique = isUniqueBy(precedingKeys());
  if (name === 'row_number' && !unique) throw new UnreadablePartError('ties in a row number');
  const rankFunction = unique || (name === 'dense_rank' && rows === 1) ? (unique ? 'place' : 'rank') : name;
  const order = sortKeys.map((key) => text.renderSortKey(key));
  return `${rankFunction} ${rows} by ${partition
    .map((key) => text.render(key))
    .sort()
    .join(', ')} order ${order.join(', ')}`;
}
