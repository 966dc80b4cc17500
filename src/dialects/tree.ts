// The dialect-neutral syntax tree of a query. Constructs that differ only in syntax share a node. A construct that only
// one engine has is a field, or an operator that the dialect of this engine declares.

/** The byte offset of a node in its source. Null for nodes that svc created. */
type ByteOffset = number | null;
interface NodeOf<Kind extends string> {
  kind: Kind;
  at: ByteOffset;
}

export type Query = Select | SetOperation | Values;

export interface QueryTail {
  with: WithClause | null;
  orderBy: SortKey[];
  limit: Expression | null;
  offset: Expression | null;
  at: ByteOffset;
}
export interface Select extends QueryTail {
  kind: 'select';
  /** The keys of DISTINCT ON, empty for a plain DISTINCT. Null if the SELECT keeps duplicate rows. */
  distinct: { on: Expression[] } | null;
  items: SelectItem[];
  from: FromItem[];
  where: Expression | null;
  groupBy: Grouping | null;
  having: Expression | null;
  qualify: Expression | null;
  windows: { name: string; window: Window }[];
}
export interface SetOperation extends QueryTail {
  kind: 'set';
  operator: 'union' | 'intersect' | 'except';
  all: boolean;
  byName: boolean;
  left: Query;
  right: Query;
}
export interface Values extends QueryTail {
  kind: 'values';
  rows: Expression[][];
}
export interface WithClause {
  recursive: boolean;
  entries: CommonTable[];
}
export interface CommonTable {
  name: string;
  columns: string[];
  materialized: boolean | null;
  query: Query;
  at: ByteOffset;
}
/** An output column. `alias` is null if the source has no alias. */
export interface SelectItem {
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
export interface GroupingSet extends NodeOf<'grouping_set'> {
  how: 'sets' | 'rollup' | 'cube' | 'empty';
  keys: GroupKey[];
}

export type FromItem = Table | DerivedTable | TableCall | Join;
interface AliasedFromItem {
  alias: string | null;
  /** New names for the table's first columns, in order. */
  columns: string[];
  at: ByteOffset;
}
export interface Table extends AliasedFromItem {
  kind: 'table';
  catalog: string | null;
  schema: string | null;
  name: string;
}
export interface DerivedTable extends AliasedFromItem {
  kind: 'derived';
  query: Query;
  lateral: boolean;
}
/** Functions in FROM. With several calls (ROWS FROM), their results are combined row by row. */
export interface TableCall extends AliasedFromItem {
  kind: 'table_call';
  calls: Call[];
  lateral: boolean;
  ordinality: boolean;
}
export interface Join extends AliasedFromItem {
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
  /** The alias for the columns of USING. */
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
  | LogicalExpression
  | Comparison
  | Arithmetic
  | Operation
  | Between
  | In
  | Like
  | NullTest
  | TruthTest
  | QuantifiedComparison
  | Exists
  | ScalarSubquery
  | ArrayQuery
  | Interval
  | CollateExpression
  | RowConstructor
  | ListConstructor
  | Subscript
  | Lambda
  | JsonCall;

export interface Column extends NodeOf<'column'> {
  path: string[];
}
/** `*`, `t.*`, or COLUMNS(…) with its argument in `columns`. */
export interface Star extends NodeOf<'star'> {
  qualifier: string[];
  exclude: string[][];
  replace: SelectItem[];
  rename: { path: string[]; to: string }[];
  columns: { of: Expression | null } | null;
}
/**
 * `value` has no quotes and keeps every digit. The last four types come from a word before the string, as in DATE
 * '2020-01-01'.
 */
export interface Literal extends NodeOf<'literal'> {
  type: 'string' | 'number' | 'boolean' | 'null' | 'bits' | 'date' | 'time' | 'datetime' | 'timestamp';
  value: string;
}
/** The position of the parameter, starting at 1. */
export interface Parameter extends NodeOf<'parameter'> {
  index: number;
}
export interface Call extends NodeOf<'call'> {
  /** The schema before the name, or null. */
  schema: string | null;
  /** The name in the dialect's letter case. */
  name: string;
  args: Expression[];
  star: boolean;
  distinct: boolean;
  /** The order of an aggregate's rows. `within`: written as WITHIN GROUP. */
  orderBy: SortKey[];
  within: boolean;
  filter: Expression | null;
  over: Window | null;
  nulls: 'ignore' | 'respect' | null;
  variadic: boolean;
  /** Whether the call has no parentheses, such as current_date. */
  bare: boolean;
  /** The time unit that replaces an argument, as in timestampdiff, or null. */
  unit: string | null;
  separator: string | null;
}
export interface Window {
  /** The named window that this window uses or extends. */
  base: string | null;
  /** Whether OVER names the window (OVER w) or defines the window in parentheses (OVER (w)). */
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
export interface NamedArgument extends NodeOf<'named_argument'> {
  name: string;
  value: Expression;
}
export interface Case extends NodeOf<'case'> {
  operand: Expression | null;
  whens: { when: Expression; result: Expression }[];
  otherwise: Expression | null;
}
/** `safe` is true if a cast that fails returns null (TRY_CAST). */
export interface Cast extends NodeOf<'cast'> {
  value: Expression;
  type: TypeName;
  safe: boolean;
}
export interface TypeName {
  /** The dialect's name for the type, in its letter case. */
  name: string;
  modifiers: string[];
  /** The length of each array dimension, or null. */
  dimensions: (number | null)[];
  fields: { name: string | null; type: TypeName }[];
}
/** `and` and `or` have at least two arguments, and `not` has one. */
export interface LogicalExpression extends NodeOf<'logic'> {
  operator: 'and' | 'or' | 'xor' | 'not';
  args: Expression[];
}
export interface Comparison extends NodeOf<'compare'> {
  operator: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'is distinct from' | 'is not distinct from';
  left: Expression;
  right: Expression;
}
/** `left` is null if the operator is the sign of a single operand. */
export interface Arithmetic extends NodeOf<'arithmetic'> {
  operator: '+' | '-' | '*' | '/' | '//' | '%' | '^';
  left: Expression | null;
  right: Expression;
}
/** Any other operator that the dialect allows. `left` is null for a prefix operator, `right` for a postfix operator. */
export interface Operation extends NodeOf<'operation'> {
  operator: string;
  left: Expression | null;
  right: Expression | null;
}
export interface Between extends NodeOf<'between'> {
  value: Expression;
  low: Expression;
  high: Expression;
  negated: boolean;
  symmetric: boolean;
}
export interface In extends NodeOf<'in'> {
  value: Expression;
  among: Expression[] | Query;
  negated: boolean;
}
export interface Like extends NodeOf<'like'> {
  how: 'like' | 'ilike' | 'similar' | 'glob' | 'regexp';
  value: Expression;
  pattern: Expression;
  escape: Expression | null;
  negated: boolean;
}
export interface NullTest extends NodeOf<'is_null'> {
  value: Expression;
  negated: boolean;
}
export interface TruthTest extends NodeOf<'is_truth'> {
  value: Expression;
  is: 'true' | 'false' | 'unknown';
  negated: boolean;
}
/** `x = any (…)`. `among` is a query, or an expression that returns a list. */
export interface QuantifiedComparison extends NodeOf<'quantified'> {
  operator: string;
  how: 'any' | 'all';
  left: Expression;
  among: Query | Expression;
}
export interface Exists extends NodeOf<'exists'> {
  query: Query;
  negated: boolean;
}
export interface ScalarSubquery extends NodeOf<'scalar'> {
  query: Query;
}
export interface ArrayQuery extends NodeOf<'array_query'> {
  query: Query;
}
export interface Interval extends NodeOf<'interval'> {
  amount: Expression;
  unit: string;
}
export interface CollateExpression extends NodeOf<'collate'> {
  value: Expression;
  collation: string;
}
/** `keyword` is true if the source has the word ROW. */
export interface RowConstructor extends NodeOf<'row'> {
  items: Expression[];
  keyword: boolean;
}
export interface ListConstructor extends NodeOf<'list'> {
  items: Expression[];
}
/** `x[index]`, or `x[from:to:step]`. */
export interface Subscript extends NodeOf<'subscript'> {
  value: Expression;
  index: Expression | null;
  slice: { from: Expression | null; to: Expression | null; step: Expression | null } | null;
}
export interface Lambda extends NodeOf<'lambda'> {
  parameters: string[];
  body: Expression;
}
export interface JsonCall extends NodeOf<'json'> {
  what: 'object' | 'array' | 'array_query' | 'object_agg' | 'array_agg' | 'is_json';
  entries: { key: Expression | null; value: Expression }[];
  nulls: 'null' | 'absent' | null;
  uniqueKeys: boolean;
  returning: TypeName | null;
  /** Present only for `is_json`. */
  item: 'any' | 'object' | 'array' | 'scalar' | null;
  negated: boolean;
  orderBy: SortKey[];
  filter: Expression | null;
  over: Window | null;
}

export type Node = Query | FromItem | Expression | GroupingSet;
