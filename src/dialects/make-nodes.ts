// Nodes of the neutral tree, made from what they say; what they leave unsaid is filled in here alone.
import type {
  Call,
  Derived,
  Expression,
  FromItem,
  Item,
  Join,
  Like,
  Literal,
  Logic,
  Query,
  QueryEnds,
  Select,
  Star,
  Table,
  TypeName,
} from './tree.ts';

const at = null;

export const NO_ENDS: QueryEnds = { with: null, orderBy: [], limit: null, offset: null, at };

const NOTHING_SAID: Omit<Call, 'name' | 'args'> = {
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
  at,
};
export const callOf = (name: string, args: Expression[] = [], more: Partial<Call> = {}): Call => ({
  ...NOTHING_SAID,
  name,
  args,
  ...more,
});

export const literalOf = (type: Literal['type'], value: string, place: number | null = null): Literal => ({
  kind: 'literal',
  type,
  value,
  at: place,
});
export const numberOf = (value: number | string): Literal => literalOf('number', String(value));
export const nothing = (place: number | null = null): Literal => literalOf('null', '', place);
export const starOf = (qualifier: string[] = [], more: Partial<Star> = {}): Star => ({
  kind: 'star',
  qualifier,
  exclude: [],
  replace: [],
  rename: [],
  columns: null,
  at,
  ...more,
});

export const not = (value: Expression): Logic => ({ kind: 'logic', operator: 'not', args: [value], at });
export const likeOf = (how: Like['how'], value: Expression, pattern: Expression, sign: Expression | null): Like => ({
  kind: 'like',
  how,
  value,
  pattern,
  escape: sign,
  negated: false,
  at,
});
/** `decimal(18,4)`. */
export function typeOf(text: string): TypeName {
  const [, name = text, inner] = /^(.*?)(?:\((.*)\))?$/.exec(text) ?? [];
  const modifiers = inner === undefined ? [] : inner.split(',').map((one) => one.trim());
  return { name, modifiers, dimensions: [], fields: [] };
}
export const scalarOf = (query: Query): Expression => ({ kind: 'scalar', query, at });
export const selectOf = (items: Item[], from: FromItem[], more: Partial<Select> = {}): Select => ({
  kind: 'select',
  distinct: null,
  items,
  from,
  where: null,
  groupBy: null,
  having: null,
  qualify: null,
  windows: [],
  ...NO_ENDS,
  ...more,
});
export const tableOf = (name: string, more: Partial<Table> = {}): Table => ({
  kind: 'table',
  catalog: null,
  schema: null,
  name,
  alias: null,
  columns: [],
  at,
  ...more,
});
export const derivedOf = (query: Query, alias: string | null, more: Partial<Derived> = {}): Derived => ({
  kind: 'derived',
  query,
  lateral: false,
  alias,
  columns: [],
  at,
  ...more,
});
export const joinOf = (how: Join['how'], left: FromItem, right: FromItem, more: Partial<Join> = {}): Join => ({
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
  at,
  ...more,
});
