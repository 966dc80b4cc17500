// Describes an engine's SQL: how to read and write it, and what the guard and the lens compiler must know
// about it, as data. No member has a default, so an incomplete dialect doesn't compile.
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
  /** Schema of tables that are named without one. Empty if the connection decides. */
  defaultSchema: string;
  /** True if statements can read other catalogs and `catalog.table` is valid without a schema. */
  catalogAsSchema: boolean;
  /** Names without a schema that the engine resolves to its own tables first. */
  ownTables: RegExp;
  /** Columns that every table has in addition to its own. */
  systemColumns: readonly string[];
  names: NameRules;
  functions: Functions;
  /** Only for engines with work that can't be canceled. */
  unstoppable?: UncancelableWork;
  /** True if the engine compares values of different types by casting one of them. */
  comparesByCasting: boolean;
  /** Types that a cast may name, case-folded by the rules of the dialect. */
  types: ReadonlySet<string>;
  /** Operators allowed in Operation and Quantified nodes. */
  operators: ReadonlySet<string>;
  parameters: {
    /** `numbered`: $1 can be repeated. `marks`: each ? is a separate parameter. */
    form: 'numbered' | 'marks';
    /** Replaces `:name` of declared parameters. Adds faults. */
    bind(sql: string, tokens: readonly Token[], declared: readonly string[], faults: Faults): Parameterised;
  };
  /**
   * True if LIMIT accepts an expression, so that svc can cap a computed one. Otherwise LIMIT takes a constant
   * or a parameter.
   */
  computedLimit: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to all its rows, not only to its last part. */
  endsOfSets: boolean;
  /** Whether NULLS LAST can be written, and where nulls sort by default. */
  nullsSort: { said: boolean; unsaid: 'as greatest' | 'as least' | 'last' };
  /**
   * Statements nested deeper than `deepest` are refused. Those with more tokens than `tokensHere` go to
   * another process.
   */
  budgets: { deepest: number; tokensHere: number };
  /** Session settings under which a statement means what svc read. */
  settings: readonly string[];
  compiling: Compiling;
  /**
   * Wraps a SELECT with policies in its WHERE behind an optimization barrier. Null if no barrier has been
   * tested on the engine itself; such engines get no row policies.
   */
  fence: ((body: Select, outputs: readonly string[], alias: string) => Query) | null;
  /** True if the engine might not release one of svc's threads while it runs this query. */
  apart(query: Query): boolean;
  /**
   * Reads the one query of the text, or returns null with faults. A construct without a node in the tree is a
   * fault too. Reading goes on after a fault, so that one reply names all of them.
   */
  read(sql: string, faults: Faults): Promise<Query | null>;
  /**
   * True if svc always runs the output of `write`, even for an unchanged statement, because the engine would
   * take the caller's spelling as something less exact.
   */
  rewrites: boolean;
  /** Writes text with only one possible reading. Throws Unwritable. */
  write(query: Query): string;
  writeExpression(expression: Expression): string;
  /** Values of the text constants of a statement, in order and without a parser. */
  texts(sql: string): string[];
  /** Statements that must give the same tree when they are written and read again. */
  cases: readonly string[];
}

interface Quotes {
  /** The quotation mark around a name. Inside a name it is doubled. */
  name: string;
  /**
   * True if words outside every grammar need no quotes. False if the reserved words differ too much between
   * versions, so that every name is quoted.
   */
  plainNames: boolean;
  /** True if a backslash escapes in a name. Names with a backslash or a quotation mark can't be written then. */
  escapes: boolean;
  /**
   * Whether constants of instants carry their offset; or sessions run in UTC without such constants; or
   * TIMESTAMP is an instant and DATETIME is not.
   */
  instants: 'with offset' | 'in utc' | 'apart';
}

interface Folding {
  /**
   * When two names are the same: compared as read (the parser folded them), without ASCII case, without Unicode case,
   * or as read from an engine that stores unquoted names in capitals. Trees and lenses hold those in lowercase.
   */
  names: 'read' | 'ascii' | 'unicode' | 'read from capitals';
  /** True if a server setting decides whether names of tables, aliases and CTEs are case-sensitive. */
  tablesByServer: boolean;
}

/** Whether a name can also mean an output of the same SELECT, and whether outputs or columns win. */
export type OutputNames = 'no' | 'first' | 'also';

interface NameRules {
  /**
   * When the alias of a table means its whole row: before its columns, before names of outer queries, after
   * everything but output names, or never.
   */
  wholeRow: 'first' | 'nearest' | 'last' | 'never';
  /** True if a path can start with a column and continue into its value. */
  structPaths: boolean;
  /** `bare`: only when the key is a single name. */
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
  /** Name of an output without an alias. Empty if it can't be predicted. */
  output(value: Expression): string;
  /** Names of other outputs without an alias: a fixed word, the engine's own rendering, or the source text. */
  computed: 'word' | 'own text' | 'source text';
  /** Columns of VALUES are named by this prefix and a number. */
  values: { prefix: string; from: number };
  /** Name of VALUES in FROM without an alias. */
  valuesAlias: string;
  /** Whether a subquery in FROM sees the tables before it: always, or only with LATERAL. */
  lateral: 'always' | 'written';
  /** True if two tables of one FROM can have the same alias. */
  sameAliasTwice: boolean;
  /** True if an aliased table can still be named by its own name, which then hides an outer table of that name. */
  nameStays: boolean;
}

interface Functions {
  list: FunctionList;
  /** Schemas that can prefix a function. */
  schemas: ReadonlySet<string>;
  /**
   * The schema that guarantees a built-in function, and the built-ins outside it. Null if no user-defined
   * function can have the name of a built-in.
   */
  builtin: { schema: string; except: ReadonlySet<string> } | null;
  /** Functions whose result or work can be far larger than their arguments. */
  bounds: ReadonlyMap<string, CallBound>;
  /** Functions that call the aggregate named in a constant argument, with the index of that argument. */
  callsNamed: ReadonlyMap<string, number>;
  inFrom: {
    columns: ReadonlyMap<string, readonly string[]>;
    /**
     * True if only the functions in `columns` can appear in FROM. Otherwise a function there returns one
     * column with its own name.
     */
    only: boolean;
    /** Whether an alias renames the single column or is an additional name for it. */
    alias: 'names' | 'adds';
    /** Functions that return one column per argument. */
    perArgument: ReadonlySet<string>;
  };
}

/** Calls and operators, by name. */
export interface UncancelableWork {
  /** Uncancelable work that compares each part of one operand with each part of another. */
  pairwise: ReadonlySet<string>;
  /** The same, if the statement also builds documents. */
  pairwiseOfDocuments: ReadonlySet<string>;
  /** Calls and types that create documents. */
  documents: ReadonlySet<string>;
  /** Aggregates that collect any number of rows into one value. */
  collects: ReadonlySet<string>;
  /** Calls that can insert the last argument into the others any number of times. */
  spreads: ReadonlySet<string>;
  /** Calls that join several values into one. */
  joins: ReadonlySet<string>;
}

/**
 * Restrictions on arguments. `length`: a constant length. `format`: a constant text without large widths.
 * `series`: constant bounds and step. `exponent`: a bounded exponent. `arguments`: an exact number of
 * arguments. `span`: gives a duration in this unit, which a series may only
 * step by if it is constant.
 */
export type CallBound =
  | { kind: 'length'; argument: number }
  | { kind: 'format' }
  | { kind: 'series' }
  | { kind: 'exponent' }
  | { kind: 'arguments'; count: number }
  | { kind: 'span'; unit: string };

/** The dialect has no text for this tree. */
export class Unwritable extends Error {
  override name = 'Unwritable';
}

/** How the lens compiler writes each operation in this engine's SQL. */
export interface Compiling {
  /** First day of the period as a date. `zone` is the lens's time zone for instants, otherwise null. */
  truncate(grain: Grain, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  /** One part of a date or timestamp, such as its year. `zone` as in `truncate`. */
  part(part: DayPart, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  previous(date: Expression, grain: Grain): Expression;
  later(moment: Expression, span: Span): Expression;
  /** Number of whole days between two dates. */
  daysBetween(from: Expression, to: Expression): Expression;
  /** `types` says for each operand whether it is a date or a timestamp. */
  secondsBetween(from: Expression, to: Expression, types: readonly Datatype[]): Expression;
  like(value: Expression, pattern: Expression, caseInsensitive: boolean, escaped: boolean): Expression;
  sameOrBothNull(left: Expression, right: Expression): Expression;
  /** Makes a text equal only to itself. Null if the engine already compares exactly. */
  exactText: ((value: Expression) => Expression) | null;
  /** Casts a value so that division keeps its fraction. Null if `/` keeps it anyway. */
  divisible: ((value: Expression) => Expression) | null;
  /**
   * True if a quotient of decimals has no more decimal places than its operands. Divisions in lens
   * expressions then use `divisible` too.
   */
  dividesByPlaces: boolean;
  /** True if quotients have enough digits that reordering factors and divisors changes only the last one. */
  longQuotients: boolean;
  /** Rounds to a number of decimal places, by the engine's own rule. */
  round(value: Expression, digits: number): Expression;
  /** True if dividing by zero is an error, so that a statement that returned rows never divided by zero. */
  faultsByZero: boolean;
  /** The argument of an aggregate, cast if the aggregate would otherwise lose digits. */
  aggregated(fn: string, value: Expression, datatype: Datatype): Expression;
  median: ((value: Expression) => Expression) | null;
  /** Joins the texts of the rows in order; null for no rows. Returns null if svc can't write it for this engine. */
  listed(text: Expression, separator: string, distinct: boolean): Expression | null;
  /** Number of characters, including trailing blanks. */
  length(text: Expression): Expression;
  /** Removes every occurrence of one text from another. */
  without(text: Expression, part: Expression): Expression;
  /** The type name to cast to for each datatype, spelled as in trees. */
  types: Readonly<Record<Datatype, string>>;
  /**
   * Types that can't be grouped or compared with text directly, and what to cast them to. Null for types that
   * no question asks about.
   */
  readAs: Readonly<Record<string, { datatype: Datatype; as: string } | null>>;
  /** Reserved words, in addition to those of standard SQL, that need quotes as a table name. */
  reserved: ReadonlySet<string>;
  /** True if ORDER BY can use an output name in an expression. */
  ordersByAlias: boolean;
  /** True if ORDER BY can contain a correlated subquery. */
  ordersBySubquery: boolean;
  /** True if instants are read in UTC, so that UTC needs no conversion. */
  readsUtc: boolean;
}
