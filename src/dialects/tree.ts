// The neutral tree: a query of any engine, as the guard, the compiler and the proofs see it. What engines spell alike in
// different words is one node here; what only one of them has is a field or an operator that its data name. A dialect's
// `read` makes a tree of its engine's own and its `write` makes text of it; a node that is not here can't be said.

/** Where a node begins in its source, in bytes; null for what no one wrote. */
type At = number | null;
interface Is<Kind extends string> {
  kind: Kind;
  at: At;
}

export type Query = Select | SetOperation | Values;

/** What orders and cuts the rows of a query, and what is said before it. */
export interface QueryEnds {
  with: With | null;
  orderBy: SortKey[];
  limit: Expression | null;
  offset: Expression | null;
  at: At;
}
export interface Select extends QueryEnds {
  kind: 'select';
  /** Null: all rows. `on`: the keys of DISTINCT ON, none for DISTINCT. */
  distinct: { on: Expression[] } | null;
  items: Item[];
  from: FromItem[];
  where: Expression | null;
  groupBy: Grouping | null;
  having: Expression | null;
  qualify: Expression | null;
  windows: { name: string; window: Window }[];
}
export interface SetOperation extends QueryEnds {
  kind: 'set';
  operator: 'union' | 'intersect' | 'except';
  all: boolean;
  /** Columns are matched by their names. */
  byName: boolean;
  left: Query;
  right: Query;
}
export interface Values extends QueryEnds {
  kind: 'values';
  rows: Expression[][];
}
export interface With {
  recursive: boolean;
  entries: CommonTable[];
}
export interface CommonTable {
  name: string;
  columns: string[];
  materialized: boolean | null;
  query: Query;
  at: At;
}
/** One output; `alias` as it was written. */
export interface Item {
  value: Expression;
  alias: string | null;
}
export interface SortKey {
  value: Expression;
  direction: 'asc' | 'desc' | null;
  nulls: 'first' | 'last' | null;
}
/** `all`: GROUP BY ALL. `distinct`: GROUP BY DISTINCT. */
export interface Grouping {
  all: boolean;
  distinct: boolean;
  keys: GroupKey[];
}
export type GroupKey = Expression | GroupingSet;
export interface GroupingSet extends Is<'grouping_set'> {
  how: 'sets' | 'rollup' | 'cube' | 'empty';
  keys: GroupKey[];
}

export type FromItem = Table | Derived | TableCall | Join;
interface Aliased {
  alias: string | null;
  /** New names of its first columns. */
  columns: string[];
  at: At;
}
export interface Table extends Aliased {
  kind: 'table';
  catalog: string | null;
  schema: string | null;
  name: string;
}
export interface Derived extends Aliased {
  kind: 'derived';
  query: Query;
  lateral: boolean;
}
/** Functions in FROM; several are read side by side. */
export interface TableCall extends Aliased {
  kind: 'table_call';
  calls: Call[];
  lateral: boolean;
  ordinality: boolean;
}
export interface Join extends Aliased {
  kind: 'join';
  how:
    | 'inner'
    | 'left'
    | 'right'
    | 'full'
    | 'cross'
    | 'semi'
    | 'anti'
    | 'asof'
    | 'asof_left'
    | 'asof_right'
    | 'asof_full'
    | 'asof_semi'
    | 'asof_anti';
  natural: boolean;
  left: FromItem;
  right: FromItem;
  using: string[];
  /** The name of the columns of USING. */
  usingAlias: string | null;
  on: Expression | null;
}

export type Expression =
  | Column
  | Star
  | Literal
  | Parameter
  | Call
  | NamedArgument
  | Case
  | Cast
  | Logic
  | Compare
  | Arithmetic
  | Operation
  | Between
  | In
  | Like
  | IsNull
  | IsTruth
  | Quantified
  | Exists
  | Scalar
  | ArrayQuery
  | Interval
  | Collate
  | Row
  | List
  | Subscript
  | Lambda
  | Json;

export interface Column extends Is<'column'> {
  path: string[];
}
/** `*`, `t.*`, and COLUMNS(…) where `columns` is what it was given. */
export interface Star extends Is<'star'> {
  qualifier: string[];
  exclude: string[][];
  replace: Item[];
  rename: { path: string[]; to: string }[];
  columns: { of: Expression | null } | null;
}
/** `value` as it was written without quotes: numbers keep every digit. The last four: typed by a word before. */
export interface Literal extends Is<'literal'> {
  type: 'string' | 'number' | 'boolean' | 'null' | 'bits' | 'date' | 'time' | 'datetime' | 'timestamp';
  value: string;
}
/** From 1 on. */
export interface Parameter extends Is<'parameter'> {
  index: number;
}
export interface Call extends Is<'call'> {
  /** A schema that was written before the name; null for none. */
  schema: string | null;
  /** In the dialect's folding. */
  name: string;
  args: Expression[];
  /** count(*). */
  star: boolean;
  distinct: boolean;
  /** The order in which an aggregate reads; of WITHIN GROUP where `within` says so. */
  orderBy: SortKey[];
  within: boolean;
  filter: Expression | null;
  over: Window | null;
  nulls: 'ignore' | 'respect' | null;
  variadic: boolean;
  /** Without brackets, like current_date. */
  bare: boolean;
  /** A unit in place of an argument (timestampdiff), or null. */
  unit: string | null;
  /** What group_concat puts between. */
  separator: string | null;
}
export interface Window {
  /** The named window that this one is or begins with. */
  base: string | null;
  /** Nothing but the name: OVER w, not OVER (w). */
  named: boolean;
  partitionBy: Expression[];
  orderBy: SortKey[];
  frame: Frame | null;
}
export interface Frame {
  unit: 'rows' | 'range' | 'groups';
  start: FrameBound;
  end: FrameBound | null;
  exclude: 'current row' | 'group' | 'ties' | null;
}
export interface FrameBound {
  how: 'unbounded preceding' | 'preceding' | 'current row' | 'following' | 'unbounded following';
  by: Expression | null;
}
/** `name := value`. */
export interface NamedArgument extends Is<'named_argument'> {
  name: string;
  value: Expression;
}
export interface Case extends Is<'case'> {
  operand: Expression | null;
  whens: { when: Expression; result: Expression }[];
  otherwise: Expression | null;
}
/** `safe`: null where it can't be (TRY_CAST). */
export interface Cast extends Is<'cast'> {
  value: Expression;
  type: TypeName;
  safe: boolean;
}
export interface TypeName {
  /** The dialect's own name of it, folded. */
  name: string;
  modifiers: string[];
  /** One entry for each dimension, null for an open one. */
  dimensions: (number | null)[];
  /** What a struct, map or union is made of. */
  fields: { name: string | null; type: TypeName }[];
}
/** `args` of `and` and `or` at least two; of `not` one. */
export interface Logic extends Is<'logic'> {
  operator: 'and' | 'or' | 'xor' | 'not';
  args: Expression[];
}
export interface Compare extends Is<'compare'> {
  operator: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'is distinct from' | 'is not distinct from';
  left: Expression;
  right: Expression;
}
/** `left` null: a sign. */
export interface Arithmetic extends Is<'arithmetic'> {
  operator: '+' | '-' | '*' | '/' | '//' | '%' | '^';
  left: Expression | null;
  right: Expression;
}
/** Any other operator, of those that the dialect allows; `left` null where it stands before its operand, `right` where
 *  after it. */
export interface Operation extends Is<'operation'> {
  operator: string;
  left: Expression | null;
  right: Expression | null;
}
export interface Between extends Is<'between'> {
  value: Expression;
  low: Expression;
  high: Expression;
  negated: boolean;
  symmetric: boolean;
}
export interface In extends Is<'in'> {
  value: Expression;
  among: Expression[] | Query;
  negated: boolean;
}
export interface Like extends Is<'like'> {
  how: 'like' | 'ilike' | 'similar' | 'glob' | 'regexp';
  value: Expression;
  pattern: Expression;
  escape: Expression | null;
  negated: boolean;
}
export interface IsNull extends Is<'is_null'> {
  value: Expression;
  negated: boolean;
}
export interface IsTruth extends Is<'is_truth'> {
  value: Expression;
  is: 'true' | 'false' | 'unknown';
  negated: boolean;
}
/** `x = any (…)`; `among` a query or an expression that gives a list. */
export interface Quantified extends Is<'quantified'> {
  operator: string;
  how: 'any' | 'all';
  left: Expression;
  among: Query | Expression;
}
export interface Exists extends Is<'exists'> {
  query: Query;
  negated: boolean;
}
export interface Scalar extends Is<'scalar'> {
  query: Query;
}
export interface ArrayQuery extends Is<'array_query'> {
  query: Query;
}
export interface Interval extends Is<'interval'> {
  amount: Expression;
  unit: string;
}
export interface Collate extends Is<'collate'> {
  value: Expression;
  collation: string;
}
/** `keyword`: ROW(…) was written out. */
export interface Row extends Is<'row'> {
  items: Expression[];
  keyword: boolean;
}
export interface List extends Is<'list'> {
  items: Expression[];
}
/** `x[index]`, or `x[from:to:step]`. */
export interface Subscript extends Is<'subscript'> {
  value: Expression;
  index: Expression | null;
  slice: { from: Expression | null; to: Expression | null; step: Expression | null } | null;
}
export interface Lambda extends Is<'lambda'> {
  parameters: string[];
  body: Expression;
}
/** The JSON constructors and tests of the standard. */
export interface Json extends Is<'json'> {
  what: 'object' | 'array' | 'array_query' | 'object_agg' | 'array_agg' | 'is_json';
  entries: { key: Expression | null; value: Expression }[];
  /** NULL ON NULL, ABSENT ON NULL, or unsaid. */
  nulls: 'null' | 'absent' | null;
  uniqueKeys: boolean;
  returning: TypeName | null;
  /** Of is_json: value, object, array or scalar. */
  item: 'any' | 'object' | 'array' | 'scalar' | null;
  negated: boolean;
  orderBy: SortKey[];
  filter: Expression | null;
  over: Window | null;
}

export type Node = Query | FromItem | Expression | GroupingSet;
