// Checks expressions. Every name and call must be known and allowed.
import { isQuery, listChildren, toConstant } from '../../dialects/nodes.ts';
import type { Expression, Node, TypeName } from '../../dialects/tree.ts';
import { checkExponent, visitCall } from './calls.ts';
import { NameScope } from './name-scope.ts';
import { resolveAndUseColumn, walkStar } from './select-list.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import { createNestedQueryContext, type ExpressionContext, isTooDeep, type StatementWalk } from './statement-walk.ts';
import { addOperationToSize } from './uncancelable-work.ts';

export function visitExpression(walk: StatementWalk, expression: Expression, context: ExpressionContext): void {
  const { analysis } = walk;
  const childContext: ExpressionContext = { ...context, position: 'used', byPosition: null, depth: context.depth + 1 };
  if (isTooDeep(analysis, childContext.depth)) return;
  if (expression.kind !== 'column') analysis.size.addNodes();
  switch (expression.kind) {
    case 'column':
      resolveAndUseColumn(analysis, expression, context);
      return;
    case 'star': {
      const columns = walkStar(walk, expression, childContext);
      analysis.refuseMasked(columns, expression.columns ? 'through COLUMNS(…)' : 'through *');
      if (expression.columns) return;
      analysis.faults.add('star', '* is allowed only as an output column. List the columns here.');
      return;
    }
    case 'literal':
      recordConstant(analysis, expression);
      addOperationToSize(analysis, expression, 0);
      return;
    case 'parameter':
      if (expression.index < 1 || expression.index > walk.parameterCount) {
        analysis.faults.add('parameter', `$${expression.index} is not a parameter of this statement.`);
      }
      return;
    case 'call':
      visitCall(walk, expression, childContext);
      return;
    case 'lambda': {
      const scope = new NameScope(context.scope);
      scope.locals = new Set(expression.parameters.map((name) => analysis.fold(name)));
      walk.visit(expression.body, { ...childContext, scope });
      return;
    }
    case 'cast':
      checkType(analysis, expression.type);
      break;
    case 'json':
      if (expression.returning) checkType(analysis, expression.returning);
      if (expression.over) analysis.hasWindows = true;
      break;
    case 'arithmetic':
      if (expression.operator === '^') checkExponent(analysis, expression.right);
      recordSignedConstant(analysis, expression);
      break;
    case 'operation':
      if (expression.right && analysis.dialect.functions.bounds.get(expression.operator)?.kind === 'exponent')
        checkExponent(analysis, expression.right);
      checkOperator(analysis, expression.operator);
      break;
    case 'quantified':
      checkOperator(analysis, expression.operator);
  }
  visitChildren(walk, expression, childContext);
}

/**
 * Walks the nodes inside an expression. EXISTS only checks whether its subquery returns rows, but every other
 * expression uses the values of its subquery.
 */
function visitChildren(walk: StatementWalk, expression: Expression, context: ExpressionContext): void {
  const { size } = walk.analysis;
  const visit = (child: Node): void => {
    if (!isQuery(child))
      size.visitCopies(countParserCopies(expression, child), () => walk.visit(child as Expression, context));
    else {
      walk.analysis.hasSubqueries = true;
      const columns = walk.query(child, createNestedQueryContext(context, context.scope));
      if (expression.kind !== 'exists') walk.analysis.refuseMasked(columns, 'in a subquery');
    }
  };
  const createdValueCount = [...listChildren(expression)].filter((child) =>
    size.createsValueDuring(() => visit(child)),
  );
  addOperationToSize(walk.analysis, expression, createdValueCount.length);
}

/**
 * Returns the number of copies that PostgreSQL makes of an operand while it parses a statement. svc can't cancel
 * parsing.
 */
function countParserCopies(expression: Expression, operand: Node): number {
  if (expression.kind === 'between' && operand === expression.value) return expression.symmetric ? 4 : 2;
  if (expression.kind !== 'in' || operand !== expression.value || !Array.isArray(expression.among)) return 1;
  const copiesOperand =
    expression.value.kind === 'row' || expression.among.some((candidate) => toConstant(candidate) === undefined);
  return copiesOperand ? Math.max(1, expression.among.length) : 1;
}

function checkType(analysis: StatementAnalysis, { name, fields }: TypeName): void {
  if (!analysis.dialect.types.has(name)) {
    analysis.faults.add('type', `The type ${name} is not allowed in a cast.`);
  }
  for (const { type } of fields) checkType(analysis, type);
}

function checkOperator({ dialect, faults }: StatementAnalysis, operator: string): void {
  if (!dialect.operators.has(operator)) faults.add('operator', `The operator ${operator} is not allowed.`);
}

function recordConstant({ constants }: StatementAnalysis, literal: Expression): void {
  const value = toConstant(literal);
  if (value !== undefined) constants.push(value);
}

/** A minus sign directly before a number belongs to the number. */
function recordSignedConstant(
  analysis: StatementAnalysis,
  { left, right, at }: Expression & { kind: 'arithmetic' },
): void {
  const isSignOfNumber = left === null && right.kind === 'literal' && at !== null && right.at === at + 1;
  if (!isSignOfNumber || right.type !== 'number') return;
  analysis.constants.push(toConstant({ ...right, value: `-${right.value}` }) ?? null);
}
