// Defines a dialect: how svc reads and writes an engine's SQL, and the engine's rules for the guard and the lens
// compiler. No member has a default, so an incomplete dialect doesn't compile.
import type { Datatype, DayPart, Grain, Span } from '../contract/warehouse.ts';
import type { Faults } from './faults.ts';
import type { FunctionList } from './function-list.ts';
import type { Token } from './lexer.ts';
import type { Parameterised } from './parameters.ts';
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
  /** Only for engines whose functions can do work that svc can't cancel. */
  unstoppable?: UncancelableWork;
  /** True if the engine casts one of two values with different types before it compares them. */
  comparesByCasting: boolean;
  /** Types that a cast can name, in the dialect's letter case. */
  types: ReadonlySet<string>;
  operators: ReadonlySet<string>;
  parameters: {
    /** `numbered`: `$1`, which can occur several times. `marks`: `?`, where each occurrence is another parameter. */
    form: 'numbered' | 'marks';
    /** Replaces the `:name` of declared parameters, and adds faults. */
    bind(sql: string, tokens: readonly Token[], declared: readonly string[], faults: Faults): Parameterised;
  };
  /**
   * True if LIMIT accepts an expression, which svc can then cap. Otherwise LIMIT accepts only literals and parameters.
   */
  computedLimit: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to its whole result, not only to the last query. */
  endsOfSets: boolean;
  /** `said`: the engine has NULLS FIRST and NULLS LAST. `unsaid`: the position of nulls without them. */
  nullsSort: { said: boolean; unsaid: 'as greatest' | 'as least' | 'last' };
  /** svc refuses statements deeper than `deepest`. Another process reads those with more than `tokensHere` tokens. */
  budgets: { deepest: number; tokensHere: number };
  /** Session settings that svc's reading of a statement assumes. */
  settings: readonly string[];
  compiling: Compiling;
  /** Puts a SELECT with row policies behind an optimization barrier. If null, svc refuses row policies. */
  fence: ((body: Select, outputs: readonly string[], alias: string) => Query) | null;
  /** True for a query that can block a thread of svc's process. */
  apart(query: Query): boolean;
  /** The statement's only query, or null. Reading continues after a fault, so that one reply lists all of them. */
  read(sql: string, faults: Faults): Promise<Query | null>;
  /** True if svc always runs the output of `write`, because the engine could read the caller's SQL less exactly. */
  rewrites: boolean;
  /** Returns SQL that has only one reading. Throws Unwritable. */
  write(query: Query): string;
  writeExpression(expression: Expression): string;
  /** Values of a statement's string literals, in order. Needs no parser. */
  texts(sql: string): string[];
  /** Statements for tests. Writing and reading each one again must give the same tree. */
  cases: readonly string[];
}

interface Quotes {
  /** The quotation mark for names. A quotation mark inside a name is doubled. */
  name: string;
  /** True if only reserved words need quotes. False if they differ too much between versions; svc then quotes all. */
  plainNames: boolean;
  /** True if backslashes escape in quoted names. svc then refuses to write backslashes and quotation marks in names. */
  escapes: boolean;
  /** How literals express instants: with an offset, in UTC, or as TIMESTAMP, while DATETIME is a local time. */
  instants: 'with offset' | 'in utc' | 'apart';
}

interface Folding {
  /**
   * How the engine compares names: as the parser returns them, without ASCII case, without Unicode case, or as an
   * engine that stores unquoted names in capitals. Trees and lenses hold those capitals in lowercase.
   */
  names: 'read' | 'ascii' | 'unicode' | 'read from capitals';
  /** True if a server setting decides whether names of tables, aliases and CTEs are case-sensitive. */
  tablesByServer: boolean;
}

/** Whether a clause can refer to an output of its SELECT: never, before columns, or after columns. */
export type OutputNames = 'no' | 'first' | 'also';

interface NameRules {
  /** When a table's alias means its whole row: before columns, before outer names, after all but outputs, or never. */
  wholeRow: 'first' | 'nearest' | 'last' | 'never';
  /** True if a path can lead from a column into the fields of its value. */
  structPaths: boolean;
  /** The clauses that can refer to outputs. `bare`: the whole key is one name. */
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
  /** Name of an output without an alias. Empty if svc can't predict it. */
  output(value: Expression): string;
  /** Name of any other output without an alias: a fixed word, the engine's own wording, or the source. */
  computed: 'word' | 'own text' | 'source text';
  /** The names of the columns of VALUES: this prefix and a number. */
  values: { prefix: string; from: number };
  /** Name of a VALUES list in FROM that has no alias. */
  valuesAlias: string;
  /** Whether a subquery in FROM sees the tables before it: always, or only after LATERAL. */
  lateral: 'always' | 'written';
  /** True if two tables of one FROM can have the same alias. */
  sameAliasTwice: boolean;
  /** True if a table with an alias keeps its name, which then hides an outer table with the same name. */
  nameStays: boolean;
}

interface Functions {
  list: FunctionList;
  /** Schemas that a statement can write before a function. */
  schemas: ReadonlySet<string>;
  /**
   * The schema that svc writes before a built-in function, and the built-in functions outside it. Null if users can't
   * define a function with the name of a built-in one.
   */
  builtin: { schema: string; except: ReadonlySet<string> } | null;
  /** Functions whose result or running time can be out of proportion to their arguments. */
  bounds: ReadonlyMap<string, CallBound>;
  /** Functions that call the aggregate named by a literal argument, with the position of that argument. */
  callsNamed: ReadonlyMap<string, number>;
  inFrom: {
    columns: ReadonlyMap<string, readonly string[]>;
    /** True if FROM accepts only these functions. If not, others return one column with the function's name. */
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
  /** Calls and operators that do so only in statements that also create documents. */
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
 * `series`: literal bounds and step. `exponent`: a limited exponent. `arguments`: an exact number of arguments. `span`:
 * a duration in this unit; a series can use it as its step only if it is a literal.
 */
export type CallBound =
  | { kind: 'length'; argument: number }
  | { kind: 'format' }
  | { kind: 'series' }
  | { kind: 'exponent' }
  | { kind: 'arguments'; count: number }
  | { kind: 'span'; unit: string };

/** The dialect has no SQL for a tree. */
export class UnwritableError extends Error {
  override name = 'Unwritable';
}

/** The SQL of an engine for each operation of the lens compiler. */
export interface Compiling {
  /** First day of the period, as a date. `zone` is the lens's time zone for instants, otherwise null. */
  truncate(grain: Grain, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  part(part: DayPart, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  previous(date: Expression, grain: Grain): Expression;
  later(moment: Expression, span: Span): Expression;
  /** Number of whole days between two dates. */
  daysBetween(from: Expression, to: Expression): Expression;
  /** `types` says whether each operand is a date or a timestamp. */
  secondsBetween(from: Expression, to: Expression, types: readonly Datatype[]): Expression;
  like(value: Expression, pattern: Expression, caseInsensitive: boolean, escaped: boolean): Expression;
  sameOrBothNull(left: Expression, right: Expression): Expression;
  /** Makes a string equal only to itself. Null if the engine already compares exactly. */
  exactText: ((value: Expression) => Expression) | null;
  /** Casts a dividend so that the quotient keeps its fraction. Null if `/` always keeps it. */
  divisible: ((value: Expression) => Expression) | null;
  /** True if quotients of decimals keep their operands' scale. Lens expressions then use `divisible` to divide. */
  dividesByPlaces: boolean;
  /**
   * True if quotients have so many digits that the order of multiplications and divisions changes only the last digit.
   */
  longQuotients: boolean;
  /** Rounds to a number of decimal places by the engine's rule. */
  round(value: Expression, digits: number): Expression;
  /** True if division by zero is an error. A statement that returned rows then never divided by zero. */
  faultsByZero: boolean;
  /** The argument of an aggregate, with a cast if the aggregate would otherwise lose digits. */
  aggregated(fn: string, value: Expression, datatype: Datatype): Expression;
  median: ((value: Expression) => Expression) | null;
  /** Concatenates the rows' strings in order; no rows give null. Returns null if svc can't write it for this engine. */
  listed(text: Expression, separator: string, distinct: boolean): Expression | null;
  length(text: Expression): Expression;
  without(text: Expression, part: Expression): Expression;
  /** The type to cast to for each datatype, as in trees. */
  types: Readonly<Record<Datatype, string>>;
  /** Types that can't be grouped or compared, and the types to cast them to. Null if no question can use the type. */
  readAs: Readonly<Record<string, { datatype: Datatype; as: string } | null>>;
  /** Words that need quotes as a table name, in addition to the reserved words of standard SQL. */
  reserved: ReadonlySet<string>;
  /** True if an expression in ORDER BY can use the name of an output. */
  ordersByAlias: boolean;
  /** True if ORDER BY can contain a correlated subquery. */
  ordersBySubquery: boolean;
  /** True if sessions read instants in UTC, so that UTC needs no conversion. */
  readsUtc: boolean;
}
