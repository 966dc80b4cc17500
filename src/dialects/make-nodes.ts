// Creates tree nodes. Only this module fills in the default values of their fields.
import type {
  Arithmetic,
  Call,
  Cast,
  Column,
  Compare,
  DerivedTable,
  Expression,
  FromItem,
  Item,
  Join,
  Like,
  Literal,
  Logic,
  Query,
  QueryTail,
  Select,
  SortKey,
  Star,
  Table,
  TypeName,
  Window,
} from './tree.ts';

const NO_POSITION = null;

export const EMPTY_TAIL: QueryTail = { with: null, orderBy: [], limit: null, offset: null, at: NO_POSITION };

const NO_CALL_OPTIONS: Omit<Call, 'name' | 'args'> = {
  kind: 'call',
  schema: null,
  star: false,
  distinct: false,
  orderBy: [],
  within: false,
  filter: null,
  over: null,
  nulls: null,
  variadic: false,
  bare: false,
  unit: null,
  separator: null,
  at: NO_POSITION,
};
export const callOf = (name: string, args: Expression[] = [], overrides: Partial<Call> = {}): Call => ({
  ...NO_CALL_OPTIONS,
  name,
  args,
  ...overrides,
});

export const columnOf = (...path: string[]): Column => ({ kind: 'column', path, at: NO_POSITION });
export const literalOf = (type: Literal['type'], value: string, position: number | null = null): Literal => ({
  kind: 'literal',
  type,
  value,
  at: position,
});
export const textOf = (value: string): Literal => literalOf('string', value);
export const numberOf = (value: number | string): Literal => literalOf('number', String(value));
export const nullLiteral = (position: number | null = null): Literal => literalOf('null', '', position);
export const starOf = (qualifier: string[] = [], overrides: Partial<Star> = {}): Star => ({
  kind: 'star',
  qualifier,
  exclude: [],
  replace: [],
  rename: [],
  columns: null,
  at: NO_POSITION,
  ...overrides,
});

export const compare = (left: Expression, operator: Compare['operator'], right: Expression): Compare => ({
  kind: 'compare',
  operator,
  left,
  right,
  at: NO_POSITION,
});
export const compute = (left: Expression, operator: Arithmetic['operator'], right: Expression): Arithmetic => ({
  kind: 'arithmetic',
  operator,
  left,
  right,
  at: NO_POSITION,
});
/** Combines conditions with AND or OR. Returns a single condition unchanged, and null if there are no conditions. */
const combineWith =
  (operator: 'and' | 'or') =>
  (args: readonly Expression[]): Expression | null =>
    args.length > 1 ? { kind: 'logic', operator, args: [...args], at: NO_POSITION } : (args[0] ?? null);
export const allOf = combineWith('and');
export const anyOf = combineWith('or');
export const not = (value: Expression): Logic => ({ kind: 'logic', operator: 'not', args: [value], at: NO_POSITION });
export const isNull = (value: Expression, negated = false): Expression => ({
  kind: 'is_null',
  value,
  negated,
  at: NO_POSITION,
});
export const inList = (value: Expression, candidates: Expression[] | Query, negated = false): Expression => ({
  kind: 'in',
  value,
  among: candidates,
  negated,
  at: NO_POSITION,
});
export const between = (value: Expression, low: Expression, high: Expression): Expression => ({
  kind: 'between',
  value,
  low,
  high,
  negated: false,
  symmetric: false,
  at: NO_POSITION,
});
export const likeOf = (
  how: Like['how'],
  value: Expression,
  pattern: Expression,
  escapeCharacter: Expression | null,
): Like => ({
  kind: 'like',
  how,
  value,
  pattern,
  escape: escapeCharacter,
  negated: false,
  at: NO_POSITION,
});
export const caseOf = (when: Expression, result: Expression, otherwise: Expression | null = null): Expression => ({
  kind: 'case',
  operand: null,
  whens: [{ when, result }],
  otherwise,
  at: NO_POSITION,
});
/** Parses `decimal(18,4)`. */
export function typeOf(text: string): TypeName {
  const [, name = text, modifierText] = /^(.*?)(?:\((.*)\))?$/.exec(text) ?? [];
  const modifiers = modifierText === undefined ? [] : modifierText.split(',').map((item) => item.trim());
  return { name, modifiers, dimensions: [], fields: [] };
}
export const castOf = (value: Expression, type: string): Cast => ({
  kind: 'cast',
  value,
  type: typeOf(type),
  safe: false,
  at: NO_POSITION,
});
export const scalarOf = (query: Query): Expression => ({ kind: 'scalar', query, at: NO_POSITION });
export const exists = (query: Query, negated = false): Expression => ({
  kind: 'exists',
  query,
  negated,
  at: NO_POSITION,
});
export const windowOf = (partitionBy: Expression[], orderBy: SortKey[] = []): Window => ({
  base: null,
  named: false,
  partitionBy,
  orderBy,
  frame: null,
});

export const itemOf = (value: Expression, alias: string | null = null): Item => ({ value, alias });
export const selectOf = (items: Item[], from: FromItem[], overrides: Partial<Select> = {}): Select => ({
  kind: 'select',
  distinct: null,
  items,
  from,
  where: null,
  groupBy: null,
  having: null,
  qualify: null,
  windows: [],
  ...EMPTY_TAIL,
  ...overrides,
});
export const tableOf = (name: string, overrides: Partial<Table> = {}): Table => ({
  kind: 'table',
  catalog: null,
  schema: null,
  name,
  alias: null,
  columns: [],
  at: NO_POSITION,
  ...overrides,
});
export const derivedOf = (query: Query, alias: string | null, overrides: Partial<DerivedTable> = {}): DerivedTable => ({
  kind: 'derived',
  query,
  lateral: false,
  alias,
  columns: [],
  at: NO_POSITION,
  ...overrides,
});
export const joinOf = (how: Join['how'], left: FromItem, right: FromItem, overrides: Partial<Join> = {}): Join => ({
  kind: 'join',
  how,
  natural: false,
  left,
  right,
  using: [],
  usingAlias: null,
  on: null,
  alias: null,
  columns: [],
  at: NO_POSITION,
  ...overrides,
});
