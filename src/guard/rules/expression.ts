// Expressions: every name and call in them must be known and allowed.
import { childrenOf, constantOf } from '../../dialects/nodes.ts';
import type { Expression, Node, Query, TypeName } from '../../dialects/tree.ts';
import type { Analysis } from './analysis.ts';
import { checkExponent, visitCall } from './calls.ts';
import { useColumn, walkStar } from './items.ts';
import { noteOperation } from './long-work.ts';
import { NameScope } from './name-scope.ts';
import { inside, isTooDeep, type Place, type Walk } from './walk.ts';

export function visitExpression(walk: Walk, one: Expression, place: Place): void {
  const { analysis } = walk;
  const below: Place = { ...place, position: 'used', byPosition: null, depth: place.depth + 1 };
  if (isTooDeep(analysis, below.depth)) return;
  if (one.kind !== 'column') analysis.size.expand();
  switch (one.kind) {
    case 'column':
      useColumn(analysis, one, place);
      return;
    case 'star': {
      const columns = walkStar(walk, one, below);
      analysis.noMasked(columns, one.columns ? 'through COLUMNS(…)' : 'through *');
      if (one.columns) return;
      analysis.faults.add('star', '* is allowed only as an output column. List the columns here.');
      return;
    }
    case 'literal':
      takeConstant(analysis, one);
      noteOperation(analysis, one, 0);
      return;
    case 'parameter':
      if (one.index < 1 || one.index > walk.parameters) {
        analysis.faults.add('parameter', `$${one.index} is not a parameter of this statement.`);
      }
      return;
    case 'call':
      visitCall(walk, one, below);
      return;
    case 'lambda': {
      const scope = new NameScope(place.scope);
      scope.locals = new Set(one.parameters.map((name) => analysis.fold(name)));
      walk.visit(one.body, { ...below, scope });
      return;
    }
    case 'cast':
      checkType(analysis, one.type);
      break;
    case 'json':
      if (one.returning) checkType(analysis, one.returning);
      if (one.over) analysis.windows = true;
      break;
    case 'arithmetic':
      if (one.operator === '^') checkExponent(analysis, one.right);
      takeSigned(analysis, one);
      break;
    case 'operation':
      if (one.right && analysis.dialect.functions.bounds.get(one.operator)?.kind === 'exponent')
        checkExponent(analysis, one.right);
      checkOperator(analysis, one.operator);
      break;
    case 'quantified':
      checkOperator(analysis, one.operator);
  }
  visitBelow(walk, one, below);
}

/** EXISTS only asks for rows; every other subquery uses the values. */
function visitBelow(walk: Walk, one: Expression, place: Place): void {
  const { size } = walk.analysis;
  const visit = (child: Node): void => {
    if (!isQuery(child)) size.copied(copiesOf(one, child), () => walk.visit(child as Expression, place));
    else {
      walk.analysis.subqueries = true;
      const columns = walk.query(child, inside(place, place.scope));
      if (one.kind !== 'exists') walk.analysis.noMasked(columns, 'in a subquery');
    }
  };
  const made = [...childrenOf(one)].filter((child) => size.madeBy(() => visit(child)));
  noteOperation(walk.analysis, one, made.length);
}

/** How often PostgreSQL copies this operand while it parses. That work can't be canceled. */
function copiesOf(one: Expression, operand: Node): number {
  if (one.kind === 'between' && operand === one.value) return one.symmetric ? 4 : 2;
  if (one.kind !== 'in' || operand !== one.value || !Array.isArray(one.among)) return 1;
  const compared = one.value.kind === 'row' || one.among.some((each) => constantOf(each) === undefined);
  return compared ? Math.max(1, one.among.length) : 1;
}

const isQuery = (node: Node): node is Query => node.kind === 'select' || node.kind === 'set' || node.kind === 'values';

/** Includes the types inside a nested type. */
function checkType(analysis: Analysis, { name, fields }: TypeName): void {
  if (!analysis.dialect.types.has(name)) {
    analysis.faults.add('type', `The type ${name} is not allowed in a cast.`);
  }
  for (const { type } of fields) checkType(analysis, type);
}

function checkOperator({ dialect, faults }: Analysis, operator: string): void {
  if (!dialect.operators.has(operator)) faults.add('operator', `The operator ${operator} is not allowed.`);
}

function takeConstant({ constants }: Analysis, literal: Expression): void {
  const value = constantOf(literal);
  if (value !== undefined) constants.push(value);
}

/** A minus sign directly before a number belongs to the number. */
function takeSigned(analysis: Analysis, { left, right, at }: Expression & { kind: 'arithmetic' }): void {
  const adjacent = left === null && right.kind === 'literal' && at !== null && right.at === at + 1;
  if (!adjacent || right.type !== 'number') return;
  analysis.constants.push(constantOf({ ...right, value: `-${right.value}` }) ?? null);
}
