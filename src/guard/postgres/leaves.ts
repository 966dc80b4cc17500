// Nodes of Postgres that hold no expression: types, constants and parameters.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList } from '../ast.ts';
import { onlyFields, type Walk, words } from '../walk.ts';
import { POSTGRES_TYPES } from './builtins.ts';
import { constantOf, stringsOf, unwrap } from './nodes.ts';

const TYPE_FIELDS = words('names setof pct_type typmods typemod arrayBounds location');
const CONSTANT_FIELDS = words('ival fval boolval sval bsval isnull location');

export function checkType(analysis: Analysis, data: AstNode): void {
  onlyFields(analysis, 'A type', data, TYPE_FIELDS);
  const path = stringsOf(data['names']);
  const name = path.at(-1) ?? '';
  const builtin = path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog');
  if (!builtin || !POSTGRES_TYPES.has(name) || data['setof'] === true || data['pct_type'] === true) {
    analysis.faults.add('type', `The type ${path.join('.')} is not allowed in a cast.`);
  }
  for (const modifier of asList(data['typmods'])) {
    if (unwrap(modifier).kind !== 'A_Const') analysis.construct('A type modifier that is not a constant');
  }
}

export function takeConstant(analysis: Analysis, data: AstNode): void {
  onlyFields(analysis, 'A constant', data, CONSTANT_FIELDS);
  const value = constantOf({ A_Const: data });
  if (value !== undefined) analysis.constants.push({ location: Number(data['location'] ?? 0), value });
}

/** $1 … $n may be written. */
export function checkParameter({ analysis, parameters }: Walk, data: AstNode): void {
  const number = Number(data['number'] ?? 0);
  if (number < 1 || number > parameters) {
    analysis.faults.add('parameter', `$${number} is not a parameter of this statement.`);
  }
}
