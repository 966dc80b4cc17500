// Limits calls that compare every part of one value with every part of another, because svc can't interrupt such work.
// The statement itself can create at most one of the two values.
import type { UncancelableWork } from '../../dialects/dialect.ts';
import { toConstant } from '../../dialects/nodes.ts';
import type { Call, Expression } from '../../dialects/tree.ts';
import type { StatementAnalysis } from './statement-analysis.ts';

/** A literal with more characters counts as a created value. */
const MAX_SHORT_TEXT_LENGTH = 1_000;
/** The longest padding or replacement string. */
const MAX_PADDING_LENGTH = 100;

/** `createdValueCount`: the number of arguments whose values the statement itself creates. */
export function addCallToSize(
  { dialect, size }: StatementAnalysis,
  { name, args }: Call,
  createdArgumentCount: number,
): void {
  const { unstoppable, functions } = dialect;
  if (!unstoppable) return;
  const callBound = functions.bounds.get(name);
  const createsUnboundedValue =
    unstoppable.collects.has(name) ||
    (unstoppable.spreads.has(name) && !isShortConstant(args.at(-1))) ||
    (callBound?.kind === 'length' && !isShortConstant(args[callBound.argument])) ||
    (unstoppable.joins.has(name) && createdArgumentCount > 1);
  if (createsUnboundedValue) size.addUnboundedValue();
  if (unstoppable.documents.has(name)) size.addDocument();
  addComparisonsToSize(unstoppable, size, name, createdArgumentCount);
}

export function addOperationToSize(
  { dialect, size }: StatementAnalysis,
  expression: Expression,
  createdValueCount: number,
): void {
  const { unstoppable } = dialect;
  if (!unstoppable) return;
  switch (expression.kind) {
    case 'literal':
      if (expression.value.length > MAX_SHORT_TEXT_LENGTH) size.addCreatedValue();
      return;
    case 'cast':
      if (unstoppable.documents.has(expression.type.name)) size.addDocument();
      return;
    case 'array_query':
    case 'json':
      size.addUnboundedValue();
      return;
    case 'list':
      if (createdValueCount > 1) size.addUnboundedValue();
      return;
    case 'like':
      addComparisonsToSize(unstoppable, size, expression.how, createdValueCount);
      return;
    case 'operation':
    case 'quantified':
    case 'arithmetic':
      if (unstoppable.joins.has(expression.operator) && createdValueCount > 1) size.addUnboundedValue();
      addComparisonsToSize(unstoppable, size, expression.operator, createdValueCount);
  }
}

function addComparisonsToSize(
  { pairwise, pairwiseOfDocuments }: UncancelableWork,
  size: StatementAnalysis['size'],
  name: string,
  createdValueCount: number,
): void {
  if (createdValueCount < 2) return;
  if (pairwise.has(name)) size.addComparison(name);
  if (pairwiseOfDocuments.has(name)) size.addComparison(name, { documents: true });
}

function isShortConstant(argument: Expression | undefined): boolean {
  const value = argument && toConstant(argument);
  if (value === null || typeof value === 'number') return Number(value) <= MAX_PADDING_LENGTH;
  return typeof value === 'string' && value.length <= MAX_PADDING_LENGTH;
}
