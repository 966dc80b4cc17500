// Defines a dialect: how svc reads and writes an engine's SQL, and which rules of the engine the guard and the lens
// compiler follow. Members have no defaults, so an incomplete dialect doesn't compile.
import type { Datatype, DayPart, Grain, Span } from '../contract/warehouse.ts';
import type { Faults } from './faults.ts';
import type { FunctionList } from './function-list.ts';
import type { Token } from './lexer.ts';
import type { ParameterizedSql } from './parameters.ts';
import type { Expression, Query, Select } from './tree.ts';

export interface Dialect {
  name: string;
  quotes: Quotes;
  folding: Folding;
  /** The schema of tables that a statement names without a schema. Empty if the connection decides. */
  defaultSchema: string;
  /** True if a statement can read other catalogs, and if `catalog.table` is valid without a schema. */
  catalogAsSchema: boolean;
  /** Unqualified names that the engine resolves to its own tables first. */
  ownTables: RegExp;
  /** Columns that the engine adds to every table. */
  systemColumns: readonly string[];
  names: NameRules;
  functions: Functions;
  /** Present only if functions of the engine can do work that svc can't cancel. */
  unstoppable?: UncancelableWork;
  /** True if the engine casts one of two values with different types before it compares them. */
  comparesByCasting: boolean;
  /** Types that a cast can name, in the dialect's letter case. */
  types: ReadonlySet<string>;
  operators: ReadonlySet<string>;
  parameters: {
    /** `numbered`: `$1`, which can occur several times. `marks`: `?`, where each occurrence is a separate parameter. */
    form: 'numbered' | 'marks';
    /** Replaces `:name` with the dialect's form of a parameter. Adds a fault for each parameter that isn't declared. */
    bind(sql: string, tokens: readonly Token[], declared: readonly string[], faults: Faults): ParameterizedSql;
  };
  /**
   * True if LIMIT accepts an expression, which svc can then cap. Otherwise LIMIT accepts only literals and parameters.
   */
  computedLimit: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to the whole result, not only to the last query. */
  endsOfSets: boolean;
  /**
   * `said`: whether the engine has NULLS FIRST and NULLS LAST. `unsaid`: the position of nulls if ORDER BY has neither.
   */
  nullsSort: { said: boolean; unsaid: 'as greatest' | 'as least' | 'last' };
  /**
   * svc refuses statements nested deeper than `deepest`. A separate process reads statements with more than
   * `tokensHere` tokens.
   */
  budgets: { deepest: number; tokensHere: number };
  /** The session settings under which the engine reads a statement as svc does. */
  settings: readonly string[];
  compiling: Compiling;
  /**
   * Puts a SELECT with row policies behind an optimization barrier. If null, svc refuses row policies for this dialect.
   */
  fence: ((body: Select, outputs: readonly string[], alias: string) => Query) | null;
  /** True for a query that needs a separate process, because it can block a thread of svc's process. */
  apart(query: Query): boolean;
  /**
   * Returns the statement's only query, or null with faults. Reading continues after a fault, so that one reply lists
   * all faults.
   */
  read(sql: string, faults: Faults): Promise<Query | null>;
  /**
   * True if svc always runs the output of `write`, because the engine could read the caller's SQL differently than svc.
   */
  rewrites: boolean;
  /** Returns SQL that has only one reading. Throws UnwritableError if the dialect has no SQL for the query. */
  write(query: Query): string;
  writeExpression(expression: Expression): string;
  /** Returns the values of a statement's string literals in order, without a parser. */
  texts(sql: string): string[];
  /**
   * Statements for tests. If svc reads a statement, writes its tree and reads the result, it must get the same tree.
   */
  cases: readonly string[];
}

interface Quotes {
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
   * How literals express instants: with an offset, in UTC, or as a separate type TIMESTAMP next to DATETIME for local
   * times.
   */
  instants: 'with offset' | 'in utc' | 'apart';
}

interface Folding {
  /**
   * How the engine compares names: as the parser returns them, without ASCII case, or without Unicode case. `read from
   * capitals` is for engines that store unquoted names in capitals, which trees and lenses hold in lowercase.
   */
  names: 'read' | 'ascii' | 'unicode' | 'read from capitals';
  /** True if a server setting decides whether names of tables, aliases and CTEs are case-sensitive. */
  tablesByServer: boolean;
}

/** Whether a clause can refer to an output of its SELECT: never, before columns, or after columns. */
export type OutputNames = 'no' | 'first' | 'also';

interface NameRules {
  /**
   * When a name that is a table's alias means the whole row: before columns, before outer names, after all names but
   * outputs, or never.
   */
  wholeRow: 'first' | 'nearest' | 'last' | 'never';
  /** True if a path such as `column.field` can name a field inside a column's value. */
  structPaths: boolean;
  /**
   * For each clause, whether it can refer to outputs. `bare`: for a key that is a single name. `inside`: for a name in
   * a longer expression.
   */
  outputs: {
    items: OutputNames;
    where: OutputNames;
    groupBy: { bare: OutputNames; inside: OutputNames };
    having: OutputNames;
    qualify: OutputNames;
    windows: OutputNames;
    distinctOn: { bare: OutputNames; inside: OutputNames };
    orderBy: { bare: OutputNames; inside: OutputNames };
    limit: OutputNames;
  };
  /** Returns the name of an output without an alias. Empty if svc can't predict the name. */
  output(value: Expression): string;
  /**
   * How the engine names an output whose name `output` can't predict: with a fixed word, with its own wording, or with
   * the source text.
   */
  computed: 'word' | 'own text' | 'source text';
  /** The columns of VALUES are named with this prefix and a number. */
  values: { prefix: string; from: number };
  /** The name of a VALUES list in FROM that has no alias. */
  valuesAlias: string;
  /** When a subquery in FROM can refer to the tables before it: always, or only after the keyword LATERAL. */
  lateral: 'always' | 'written';
  /** True if two tables in one FROM clause can have the same alias. */
  sameAliasTwice: boolean;
  /**
   * True if a table's own name remains valid next to its alias. The name then hides an outer table with the same name.
   */
  nameStays: boolean;
}

interface Functions {
  list: FunctionList;
  /** Schemas that a statement can write before a function. */
  schemas: ReadonlySet<string>;
  /**
   * The schema that svc writes before a built-in function, and the built-in functions that aren't in this schema. Null
   * if users can't define a function with the name of a built-in function.
   */
  builtin: { schema: string; except: ReadonlySet<string> } | null;
  /** Functions whose result or running time can be far larger than their arguments suggest. */
  bounds: ReadonlyMap<string, CallBound>;
  /** Functions that call the aggregate that a literal argument names, with the position of that argument. */
  callsNamed: ReadonlyMap<string, number>;
  inFrom: {
    columns: ReadonlyMap<string, readonly string[]>;
    /**
     * True if FROM accepts only these functions. Otherwise, any other function returns one column with the function's
     * name.
     */
    only: boolean;
    /** Whether an alias replaces the name of the only column or is a second name for it. */
    alias: 'names' | 'adds';
    perArgument: ReadonlySet<string>;
  };
}

/** Calls and operators that svc can't cancel, by name. */
export interface UncancelableWork {
  /** Calls and operators that compare every part of one operand with every part of another. */
  pairwise: ReadonlySet<string>;
  /** Calls and operators that are pairwise only in statements that also create documents, such as JSON values. */
  pairwiseOfDocuments: ReadonlySet<string>;
  documents: ReadonlySet<string>;
  /** Aggregates that collect any number of rows into one value. */
  collects: ReadonlySet<string>;
  /** Calls that can insert their last argument into the others any number of times. */
  spreads: ReadonlySet<string>;
  /** Calls that concatenate several values. */
  joins: ReadonlySet<string>;
}

/**
 * Limits on the arguments of a call. `length`: a literal length. `format`: a literal format without large widths.
 * `series`: literal bounds and a literal step. `exponent`: a limited exponent. `arguments`: an exact number of
 * arguments. `span`: a duration in this unit, which must be a literal if it is the step of a series.
 */
export type CallBound =
  | { kind: 'length'; argument: number }
  | { kind: 'format' }
  | { kind: 'series' }
  | { kind: 'exponent' }
  | { kind: 'arguments'; count: number }
  | { kind: 'span'; unit: string };

/** Thrown for a tree that the dialect can't express in SQL. */
export class UnwritableError extends Error {
  override name = 'Unwritable';
}

/** The engine's SQL for each operation that the lens compiler needs. */
export interface Compiling {
  /**
   * Returns the first day of the period that contains `value`, as a date. `zone` is the lens's time zone if `value` is
   * an instant, otherwise null.
   */
  truncate(grain: Grain, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  part(part: DayPart, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  previous(date: Expression, grain: Grain): Expression;
  later(moment: Expression, span: Span): Expression;
  /** Counts the whole days between two dates. */
  daysBetween(from: Expression, to: Expression): Expression;
  /** `types` contains the datatypes of both operands: date or timestamp. */
  secondsBetween(from: Expression, to: Expression, types: readonly Datatype[]): Expression;
  like(value: Expression, pattern: Expression, caseInsensitive: boolean, escaped: boolean): Expression;
  sameOrBothNull(left: Expression, right: Expression): Expression;
  /**
   * Changes a string so that it equals only the same characters. Null if the engine already compares strings exactly.
   */
  exactText: ((value: Expression) => Expression) | null;
  /** Casts a dividend so that the quotient keeps its fraction. Null if `/` always keeps it. */
  divisible: ((value: Expression) => Expression) | null;
  /**
   * True if quotients of decimals have too few decimal places. Lens expressions then apply `divisible` to the dividend.
   */
  dividesByPlaces: boolean;
  /**
   * True if quotients have so many digits that the order of multiplications and divisions can change only the last
   * digit.
   */
  longQuotients: boolean;
  /** Rounds to a number of decimal places by the engine's rule. */
  round(value: Expression, digits: number): Expression;
  /** True if division by zero is an error. svc then knows that a statement that returned rows never divided by zero. */
  faultsByZero: boolean;
  /** Returns the argument of an aggregate, with a cast if the aggregate would otherwise lose digits. */
  aggregated(fn: string, value: Expression, datatype: Datatype): Expression;
  median: ((value: Expression) => Expression) | null;
  /**
   * Concatenates the strings of all rows in order. The SQL gives null for no rows. Returns null if the engine has no
   * such SQL.
   */
  listed(text: Expression, separator: string, distinct: boolean): Expression | null;
  length(text: Expression): Expression;
  without(text: Expression, part: Expression): Expression;
  /** For each datatype, the type that a cast to it names in a tree. */
  types: Readonly<Record<Datatype, string>>;
  /**
   * For types that the engine can't group or compare, the type to cast them to. Null if no question can use the type.
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
