// Explains why no plan has the meaning of a statement, by naming the first part that a plan can't express.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression } from '../../../dialects/tree.ts';
import { Problem } from '../../../platform/problem.ts';
import { UnreadablePartError } from './scope.ts';

const NO_PLAN_REASONS: Record<string, string> = {
  union: 'A plan can’t express a union of queries.',
  intersect: 'A plan can’t express an intersection of queries.',
  except: 'A plan can’t express the difference of queries.',
  recursive: 'A plan can’t express a recursive query.',
  'no field': 'A plan can’t show or group by this expression',
  measure: 'A plan can’t express this measure',
  'median of decimals':
    'On this engine, a median of decimals is cut to the decimal places of the values. Cast the values to double.',
  condition: 'A plan can’t express a condition on this expression',
  having: 'A plan can’t express this condition on groups',
  order: 'A plan can’t order by this expression',
  pattern: 'A plan can match a string only at its beginning, at its end or anywhere, and can’t express this pattern',
  window: 'A plan can’t express this window function.',
  windows: 'A plan can’t express this condition on a window function.',
  from: 'A plan can’t express this use of a subquery in FROM.',
  periods:
    'A plan can’t express these periods. The periods of a plan are consecutive days, weeks, months, quarters or years between two dates.',
  join: 'A plan can’t express this kind of join, or a join to a query that groups rows.',
  'no main source':
    'The statement has no table from which all others are reachable through declared many-to-one joins.',
  'rows that are repeated': 'The joins repeat rows, and this aggregate counts them more than once.',
  'rows that may be missing':
    'COUNT(*) over a LEFT JOIN also counts rows that have no match. Count a column of the joined table instead.',
  'in a query': 'NOT IN with a query that can return NULL is not the same as “has none”. Use NOT EXISTS.',
  'ties in a row number': 'ROW_NUMBER picks arbitrarily among equal rows. Also order by a key, or use RANK.',
  'an order of values':
    'A plan lists values in ascending order. Inside the aggregate, add ORDER BY with the same expression.',
  'an arbitrary limit': 'LIMIT without a complete ORDER BY picks rows arbitrarily.',
  'a hidden group key': 'The statement groups by an expression that it does not show and that is not a key.',
  '*': 'The statement uses *. Name its columns.',
  'grouping sets': 'A plan can’t express GROUPING SETS, ROLLUP or CUBE.',
};

export function explainNoPlan(dialect: Dialect, fault: unknown): string | null {
  if (fault instanceof Problem) return fault.code === 'invalid' ? fault.message : null;
  if (!(fault instanceof UnreadablePartError)) return null;
  const reasonText = NO_PLAN_REASONS[fault.message];
  if (!reasonText) return 'svc found no plan with the same meaning.';
  const part = fault.of && !reasonText.endsWith('.') ? writeExpressionText(dialect, fault.of) : null;
  return part ? `${reasonText}: ${part}.` : reasonText.replace(/\.?$/, '.');
}

const MAX_QUOTED_LENGTH = 120;
export function writeExpressionText(dialect: Dialect, expression: Expression): string | null {
  try {
    const text = dialect.writeExpression(expression).replace(/"?(\w+)~\d+"?\./g, '$1.');
    return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  } catch {
    return null;
  }
}
