// Creates tree nodes. Only this module fills in the default values of their fields.
import type {
  Arithmetic,
  Call,
  Cast,
  Column,
  Comparison,
  DerivedTable,
  Expression,
  FromItem,
  Join,
  Like,
  Literal,
  LogicalExpression,
  Node,
  Query,
  QueryTail,
  Select,
  SelectItem,
  SortKey,
  Star,
  Table,
  TypeName,
  Window,
} from './tree.ts';

/** Creates a node of any kind. `at` is null, because a node that svc creates has no position in a source. */
export const nodeOf = <Kind extends Node['kind']>(
  kind: Kind,
  fields: Omit<NodeOfKind<Kind>, 'kind' | 'at'> & { at?: number | null },
): NodeOfKind<Kind> => ({ kind, at: null, ...fields }) as unknown as NodeOfKind<Kind>;
type NodeOfKind<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

export const EMPTY_TAIL: QueryTail = { with: null, orderBy: [], limit: null, offset: null, at: null };

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
  at: null,
};
export const callOf = (name: string, args: Expression[] = [], overrides: Partial<Call> = {}): Call => ({
  ...NO_CALL_OPTIONS,
  name,
  args,
  ...overrides,
});

export const columnOf = (...path: string[]): Column => nodeOf('column', { path });
export const literalOf = (type: Literal['type'], value: string, at: number | null = null): Literal =>
  nodeOf('literal', { type, value, at });
export const textOf = (value: string): Literal => literalOf('string', value);
export const numberOf = (value: number | string): Literal => literalOf('number', String(value));
export const nullLiteral = (at: number | null = null): Literal => literalOf('null', '', at);
export const starOf = (qualifier: string[] = [], overrides: Partial<Star> = {}): Star =>
  nodeOf('star', { qualifier, exclude: [], replace: [], rename: [], columns: null, ...overrides });

export const compare = (left: Expression, operator: Comparison['operator'], right: Expression): Comparison =>
  nodeOf('compare', { operator, left, right });
export const compute = (left: Expression, operator: Arithmetic['operator'], right: Expression): Arithmetic =>
  nodeOf('arithmetic', { operator, left, right });
/** Combines conditions with AND or OR. Returns a single condition unchanged, and null if there are no conditions. */
const createCombiner =
  (operator: 'and' | 'or') =>
  (args: readonly Expression[]): Expression | null =>
    args.length > 1 ? nodeOf('logic', { operator, args: [...args] }) : (args[0] ?? null);
export const allOf = createCombiner('and');
export const anyOf = createCombiner('or');
export const createNegation = (value: Expression): LogicalExpression =>
  nodeOf('logic', { operator: 'not', args: [value] });
export const isNull = (value: Expression, negated = false): Expression => nodeOf('is_null', { value, negated });
export const inList = (value: Expression, among: Expression[] | Query, negated = false): Expression =>
  nodeOf('in', { value, among, negated });
export const between = (value: Expression, low: Expression, high: Expression): Expression =>
  nodeOf('between', { value, low, high, negated: false, symmetric: false });
export const likeOf = (
  how: Like['how'],
  value: Expression,
  pattern: Expression,
  escapeCharacter: Expression | null,
): Like => nodeOf('like', { how, value, pattern, escape: escapeCharacter, negated: false });
export const caseOf = (when: Expression, result: Expression, otherwise: Expression | null = null): Expression =>
  nodeOf('case', { operand: null, whens: [{ when, result }], otherwise });
/** Parses `decimal(18,4)`. */
export function typeOf(text: string): TypeName {
  const [, name = text, modifierText] = /^(.*?)(?:\((.*)\))?$/.exec(text) ?? [];
  const modifiers = modifierText === undefined ? [] : modifierText.split(',').map((item) => item.trim());
  return { name, modifiers, dimensions: [], fields: [] };
}
export const castOf = (value: Expression, type: string): Cast =>
  nodeOf('cast', { value, type: typeOf(type), safe: false });
export const scalarOf = (query: Query): Expression => nodeOf('scalar', { query });
export const exists = (query: Query, negated = false): Expression => nodeOf('exists', { query, negated });
export const windowOf = (partitionBy: Expression[], orderBy: SortKey[] = []): Window => ({
  base: null,
  named: false,
  partitionBy,
  orderBy,
  frame: null,
});
/** `unit` can have any letter case. */
export const intervalOf = (amount: Expression | number, unit: string): Expression =>
  nodeOf('interval', { amount: typeof amount === 'number' ? numberOf(amount) : amount, unit: unit.toUpperCase() });

export const itemOf = (value: Expression, alias: string | null = null): SelectItem => ({ value, alias });
export const selectOf = (items: SelectItem[], from: FromItem[], overrides: Partial<Select> = {}): Select => ({
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
export const tableOf = (name: string, overrides: Partial<Table> = {}): Table =>
  nodeOf('table', { catalog: null, schema: null, name, alias: null, columns: [], ...overrides });
export const derivedOf = (query: Query, alias: string | null, overrides: Partial<DerivedTable> = {}): DerivedTable =>
  nodeOf('derived', { query, lateral: false, alias, columns: [], ...overrides });
export const joinOf = (how: Join['how'], left: FromItem, right: FromItem, overrides: Partial<Join> = {}): Join => ({
  ...nodeOf('join', {
    how,
    natural: false,
    left,
    right,
    using: [],
    usingAlias: null,
    on: null,
    alias: null,
    columns: [],
  }),
  ...overrides,
});
