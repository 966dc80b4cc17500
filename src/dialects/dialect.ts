// Defines a dialect: how svc parses and generates an engine's SQL, and which rules of the engine the guard and the lens
// compiler follow. Members have no defaults, so an incomplete dialect doesn't compile.
import type { Datatype, DayPart, Duration, Grain } from '../contract/warehouse.ts';
import type { FaultCollector } from './fault-collector.ts';
import type { CallBound, FunctionList } from './function-list.ts';
import type { Token } from './lexer.ts';
import type { ParameterizedSql } from './parameters.ts';
import type { Expression, Query, Select } from './tree.ts';

export interface Dialect {
  name: string;
  quotes: QuotingRules;
  folding: NameFolding;
  /**
   * The schema in which the engine looks up tables that a statement names without a schema. Empty if the connection
   * decides.
   */
  defaultSchema: string;
  /**
   * True if a statement can read tables of other catalogs and can name them without a schema. In `a.b`, `a` can then be
   * a catalog or a schema.
   */
  catalogAsSchema: boolean;
  /** Matches unqualified names that the engine resolves to its own tables first, such as `pg_class`. */
  ownTables: RegExp;
  /** Columns that the engine adds to every table. */
  systemColumns: readonly string[];
  names: NameRules;
  functions: FunctionRules;
  /** The engine's functions that can do work that svc can't cancel. Absent if there are none. */
  unstoppable?: UncancelableWork;
  /** True if the engine casts one of two values with different types before it compares them. */
  comparesByCasting: boolean;
  /** Types that a cast can name, in the dialect's letter case. */
  types: ReadonlySet<string>;
  /** Operators of `Operation` nodes that a statement can contain. */
  operators: ReadonlySet<string>;
  parameters: {
    /**
     * `numbered` means `$1`, which can occur several times. `marks` means `?`, where each occurrence is a separate
     * parameter.
     */
    form: 'numbered' | 'marks';
    /**
     * Replaces `:name` with the dialect's form of a parameter. Reports an error for each parameter that isn't declared.
     */
    bind(sql: string, tokens: readonly Token[], declared: readonly string[], faults: FaultCollector): ParameterizedSql;
  };
  /**
   * True if LIMIT accepts an expression, which svc can then cap. Otherwise LIMIT accepts only literals and parameters.
   */
  computedLimit: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to the whole result, not only to the last query. */
  endsOfSets: boolean;
  /**
   * `said`: true if the engine has NULLS FIRST and NULLS LAST. `unsaid`: the position of nulls if ORDER BY has neither.
   * `as greatest`: after all values in ascending order. `as least`: before them. `last`: last in both directions.
   */
  nullsSort: { said: boolean; unsaid: 'as greatest' | 'as least' | 'last' };
  /**
   * svc refuses statements nested deeper than `deepest`. A separate process reads statements with more than
   * `tokensHere` tokens.
   */
  budgets: { deepest: number; tokensHere: number };
  /** The session settings that make the engine interpret statements in the same way as svc. */
  settings: readonly string[];
  compiling: CompilerRules;
  /**
   * Puts a SELECT with row policies behind an optimization barrier. If null, svc refuses row policies for this dialect.
   */
  fence: ((body: Select, outputs: readonly string[], alias: string) => Query) | null;
  /**
   * Returns true if svc must run the query in a separate process, because the query can block a thread of svc's
   * process. This applies only to warehouses that run inside svc's process, such as DuckDB.
   */
  apart(query: Query): boolean;
  /**
   * Returns the statement's only query. Otherwise, reports errors and returns null. Reading continues after an error,
   * so that one reply lists all errors.
   */
  read(sql: string, faults: FaultCollector): Promise<Query | null>;
  /**
   * True if svc always runs the output of `write`, because the engine could interpret the caller's SQL differently from
   * svc.
   */
  rewrites: boolean;
  /** Returns unambiguous SQL. Throws UnwritableError if the dialect has no SQL for the query. */
  write(query: Query): string;
  writeExpression(expression: Expression): string;
  /** Returns the values of a statement's string literals in order. Tokenizes the statement but doesn't parse it. */
  texts(sql: string): string[];
  /**
   * Statements for tests. A test parses each statement, generates SQL from the tree, and parses this SQL again. Both
   * trees must be equal.
   */
  cases: readonly string[];
}

interface QuotingRules {
  /** The quotation mark for names. A quotation mark inside a name is doubled. */
  name: string;
  /**
   * True if svc quotes only reserved words. False if reserved words differ too much between versions, so that svc
   * quotes all names.
   */
  plainNames: boolean;
  /**
   * True if a backslash starts an escape in a quoted name. svc then refuses to write names with backslashes or
   * quotation marks.
   */
  escapes: boolean;
  /**
   * How literals express instants. `with offset`: with the offset of the zone. `in utc`: as a time in UTC. `apart`:
   * with a separate type, such as TIMESTAMP in BigQuery, where local times have the type DATETIME.
   */
  instants: 'with offset' | 'in utc' | 'apart';
}

interface NameFolding {
  /**
   * How the engine compares names. `read`: as the parser returns them. `ascii`: without regard to the case of ASCII
   * letters. `unicode`: without regard to the case of any letters. `read from capitals`: like `read`, for engines that
   * store unquoted names in capitals. Trees and lenses contain such names in lowercase.
   */
  names: 'read' | 'ascii' | 'unicode' | 'read from capitals';
  /** True if a server setting decides whether names of tables, aliases and CTEs are case-sensitive. */
  tablesByServer: boolean;
}

/**
 * Whether a name in a clause can mean an output of the clause's SELECT. `no`: never. `first`: always, even if a column
 * has the same name. `also`: only if no column has the name.
 */
export type OutputNameRule = 'no' | 'first' | 'also';

interface NameRules {
  /**
   * When a table's alias, used as a name, means the whole row. `first`: always, even if a column has the name.
   * `nearest`: if no column of the same query has the name. `last`: if no column of the query or of an outer query has
   * the name. `never`: never.
   */
  wholeRow: 'first' | 'nearest' | 'last' | 'never';
  /** True if a path such as `column.field` can name a field inside a column's value. */
  structPaths: boolean;
  /**
   * For each clause, whether a name in the clause can refer to an output. `bare`: for a key that is a single name.
   * `inside`: for a name in a longer expression.
   */
  outputs: {
    items: OutputNameRule;
    where: OutputNameRule;
    groupBy: { bare: OutputNameRule; inside: OutputNameRule };
    having: OutputNameRule;
    qualify: OutputNameRule;
    windows: OutputNameRule;
    distinctOn: { bare: OutputNameRule; inside: OutputNameRule };
    orderBy: { bare: OutputNameRule; inside: OutputNameRule };
    limit: OutputNameRule;
  };
  /** Returns the name of an output without an alias. Empty if svc can't predict the name. */
  output(value: Expression): string;
  /**
   * How the engine names an output whose name `output` can't predict: with a fixed word, with its own wording, or with
   * the source text.
   */
  computed: 'word' | 'own text' | 'source text';
  /** How the engine names the columns of VALUES: with this prefix and a number, which starts at `from`. */
  values: { prefix: string; from: number };
  /** The name of a VALUES list in FROM that has no alias. */
  valuesAlias: string;
  /**
   * Where a subquery in FROM can refer to the tables before it: everywhere (`always`), or only after the keyword
   * LATERAL (`written`).
   */
  lateral: 'always' | 'written';
  /** True if two tables in one FROM clause can have the same alias. */
  sameAliasTwice: boolean;
  /**
   * True if a table's own name remains valid next to its alias. The name then hides an outer table with the same name.
   */
  nameStays: boolean;
}

interface FunctionRules {
  list: FunctionList;
  /** Schemas that a statement can use to qualify the name of a function. */
  schemas: ReadonlySet<string>;
  /**
   * The schema that svc writes before a built-in function, and the built-in functions that aren't in this schema. Null
   * if users can't define a function with the name of a built-in function.
   */
  builtin: { schema: string; except: ReadonlySet<string> } | null;
  /** Functions whose result or running time can be far larger than their arguments suggest. */
  bounds: ReadonlyMap<string, CallBound>;
  /** Functions that call the aggregate whose name is a literal argument, with the position of that argument. */
  callsNamed: ReadonlyMap<string, number>;
  /** The functions that a statement can call in FROM. */
  inFrom: {
    /** The fixed names of the columns that a function returns. An alias of the call doesn't change these names. */
    columns: ReadonlyMap<string, readonly string[]>;
    /**
     * True if FROM accepts only these functions. Otherwise, any other function returns one column with the function's
     * name.
     */
    only: boolean;
    /**
     * `names`: an alias replaces the name of the first column. `adds`: an alias is a second name for the first column.
     */
    alias: 'names' | 'adds';
    /** Functions that return one column for each argument, such as `unnest` in PostgreSQL. */
    perArgument: ReadonlySet<string>;
  };
}

/** Calls and operators that svc can't cancel, by name. */
export interface UncancelableWork {
  /** Calls and operators that compare every part of one operand with every part of another. */
  pairwise: ReadonlySet<string>;
  /**
   * Calls and operators that compare every pair of parts only in statements that also create documents, such as JSON
   * values.
   */
  pairwiseOfDocuments: ReadonlySet<string>;
  /** Calls and types that create documents. */
  documents: ReadonlySet<string>;
  /** Aggregates that collect any number of rows into one value. */
  collects: ReadonlySet<string>;
  /** Calls that can insert their last argument into the others any number of times. */
  spreads: ReadonlySet<string>;
  /** Calls and operators that concatenate several values. */
  joins: ReadonlySet<string>;
}

/** Thrown for a tree that the dialect can't express in SQL. */
export class UnwritableError extends Error {
  override name = 'Unwritable';
}

/** The engine's SQL for each operation that the lens compiler needs. */
export interface CompilerRules {
  /**
   * Returns the first day of the period that contains `value`, as a date. `zone` is the lens's time zone if `value` is
   * an instant, otherwise null.
   */
  truncate(grain: Grain, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  /** Returns a part of a date or time: the English name of the weekday, or the number of another part. */
  part(part: DayPart, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  /** Returns the date one `grain` before `date`. For a month, 2016-03-01 becomes 2016-02-01. */
  previous(date: Expression, grain: Grain): Expression;
  /**
   * Adds `span` to a date or time. A negative amount subtracts: with `{ amount: -2, unit: 'day' }`, 2016-03-01 becomes
   * 2016-02-28.
   */
  later(moment: Expression, span: Duration): Expression;
  /** Counts the whole days from one date to another. The result is negative if `to` is earlier. */
  daysBetween(from: Expression, to: Expression): Expression;
  /** Counts the seconds from one moment to another. `types` contains the datatypes of `from` and `to`, in this order. */
  secondsBetween(from: Expression, to: Expression, types: readonly Datatype[]): Expression;
  /** Tests whether a string matches a LIKE pattern. `escaped`: true if a backslash in the pattern is an escape. */
  like(value: Expression, pattern: Expression, caseInsensitive: boolean, escaped: boolean): Expression;
  /** Tests whether both values are equal or both are null. The result is never null. */
  sameOrBothNull(left: Expression, right: Expression): Expression;
  /**
   * Changes a string so that it equals only strings with exactly the same characters. Null if the engine already
   * compares strings exactly.
   */
  exactText: ((value: Expression) => Expression) | null;
  /**
   * Returns a key that differs for different strings, for engines that put strings such as West and west into one group.
   * Null if the engine or `exactText` distinguishes these strings.
   */
  textKey: ((value: Expression) => Expression) | null;
  /**
   * Changes a string so that `<` and `>` compare it as text, for engines whose enums and other types have their own
   * order and refuse other strings. Null if the engine compares all strings as text.
   */
  orderedText: ((value: Expression) => Expression) | null;
  /**
   * Whether the engine treats a time without a zone as local time when it converts the time to the lens's time zone. A
   * field of the type `datetimetz` then needs a column with a time zone.
   */
  readsPlainTimesAsLocal: boolean;
  /**
   * Widens an integer so that sums, differences and products don't exceed its type. Null if the engine's integers are
   * wide enough, or if svc doesn't know a wider type.
   */
  widened: ((value: Expression) => Expression) | null;
  /**
   * Changes a dividend so that the quotient keeps its fraction. In PostgreSQL, where 1 / 2 is 0, this is
   * CAST(a AS numeric) for the `a` of a / b. Null if `/` always keeps the fraction.
   */
  divisible: ((value: Expression) => Expression) | null;
  /**
   * True if quotients of decimals, and not only of integers, have too few decimal places. svc then applies `divisible`
   * to each dividend in the expressions of a lens.
   */
  dividesByPlaces: boolean;
  /**
   * True if quotients have so many digits that the order of multiplications and divisions can change only the last
   * digit.
   */
  longQuotients: boolean;
  /** Writes a number as an exact decimal. Null if a number with decimal places, such as 0.05, is already exact. */
  exactDecimal: ((number: string) => Expression) | null;
  /** Rounds a value to this number of decimal places with the engine's rounding rule. */
  round(value: Expression, digits: number): Expression;
  /** True if division by zero is an error. svc then knows that a statement that returned rows never divided by zero. */
  faultsByZero: boolean;
  /** Returns the argument of an aggregate. Adds a cast if the aggregate would otherwise lose digits. */
  aggregated(fn: string, value: Expression, datatype: Datatype): Expression;
  /** The exact median. Null if the engine has no such aggregate. */
  median: ((value: Expression) => Expression) | null;
  /**
   * Returns an expression that sorts the strings of all rows and concatenates them. The result of the expression is
   * null for no rows. Returns null if the engine has no such expression.
   */
  listed(text: Expression, separator: string, distinct: boolean): Expression | null;
  /** Counts the characters of a string. */
  length(text: Expression): Expression;
  /** Removes every occurrence of `part` from a string. */
  without(text: Expression, part: Expression): Expression;
  /** The engine's type name for each datatype, for cast nodes of the syntax tree. */
  types: Readonly<Record<Datatype, string>>;
  /**
   * For each type that the engine can't group or compare: the type to which svc casts its values, or null if no
   * question can use the type.
   */
  readAs: Readonly<Record<string, { datatype: Datatype; as: string } | null>>;
  /** Words that need quotes as a table name although standard SQL doesn't reserve them. */
  reserved: ReadonlySet<string>;
  /** True if an expression in ORDER BY can contain the name of an output. */
  ordersByAlias: boolean;
  /** True if ORDER BY can contain a correlated subquery. */
  ordersBySubquery: boolean;
  /** True if sessions read instants in UTC, so that a lens in UTC needs no conversion. */
  readsUtc: boolean;
}
