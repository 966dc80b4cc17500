// What an engine's SQL is: how it is read and written, and everything in which the laws of the guard and the compiler
// must know it, as data. Nothing has a default: a dialect that leaves something unsaid doesn't compile.
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
  /** Where a table is looked for that is named without a schema; empty where the connection says it. */
  defaultSchema: string;
  /** Tables of other catalogs can be read, and a schema may be written where the catalog is meant: `catalog.table`. */
  catalogAsSchema: boolean;
  /** Names without a schema that the engine looks up for itself first. */
  ownTables: RegExp;
  /** What tables have besides their own columns. */
  systemColumns: readonly string[];
  names: NameRules;
  functions: Functions;
  /** Only of an engine that can't be stopped everywhere. */
  unstoppable?: Unstoppable;
  /** Values of different types are compared by casting one of them, whatever it is. */
  comparesByCasting: boolean;
  /** Types that a cast may name, in the dialect's folding. */
  types: ReadonlySet<string>;
  /** Operators of Operation and Quantified. */
  operators: ReadonlySet<string>;
  parameters: {
    /** $1 may be written again, each ? is one of its own. */
    form: 'numbered' | 'marks';
    /** `:name` of declared parameters in that form. Adds faults. */
    bind(sql: string, tokens: readonly Token[], declared: readonly string[], faults: Faults): Parameterised;
  };
  /** LIMIT takes an expression, so that a computed one can be capped; else a constant or a parameter. */
  computedLimit: boolean;
  /** ORDER BY and LIMIT behind a set operation are for all its rows, not for its last part. */
  endsOfSets: boolean;
  /** Whether NULLS LAST can be said, and where NULL stands when no one says it. */
  nullsSort: { said: boolean; unsaid: 'as greatest' | 'as least' | 'last' };
  /** Nothing is read that nests deeper, or in the same process that has more words. */
  budgets: { deepest: number; tokensHere: number };
  /** What a session must be set to, so that a text means what was read. */
  settings: readonly string[];
  compiling: Compiling;
  /** A SELECT with policies as its WHERE, closed to what the caller wrote around it; null where no barrier was tried on the
   *  engine itself, so that there are no row policies. */
  fence: ((body: Select, outputs: readonly string[], alias: string) => Query) | null;
  /** Whether the engine could fail to let go of a thread of ours over this query. */
  apart(query: Query): boolean;
  /** The one query that the text is; null with faults otherwise. What it can't say as nodes of the tree is a fault too; the
   *  rest is read on, so that all faults are named at once. */
  read(sql: string, faults: Faults): Promise<Query | null>;
  /** Every statement runs as `write` has it, also where nothing is put into it: the engine takes what anyone writes for
   *  something less exact. */
  rewrites: boolean;
  /** Text that can be read in one way only; throws Unwritable. */
  write(query: Query): string;
  writeExpression(expression: Expression): string;
  /** The value of each text constant of a statement, in its order, as the engine tells words apart; no parser is asked. */
  texts(sql: string): string[];
  /** Statements that must come back as the same tree from their own text. */
  cases: readonly string[];
}

interface Quotes {
  /** Around a name; doubled inside. */
  name: string;
  /** What is no word of any grammar may stand without quotes; else words differ so much between versions that none may. */
  plainNames: boolean;
  /** A backslash escapes in a name: none that holds one, or a quote, can be written. */
  escapes: boolean;
  /** Constants of instants hold their offset, or there are none and sessions run in UTC, or TIMESTAMP is an instant and
   *  DATETIME is not. */
  instants: 'with offset' | 'in utc' | 'apart';
}

interface Folding {
  /** How names are the same: as they were read (the parser folded them), without the case of ASCII or of all letters; or as
   *  they were read, where names without quotes are stored in capitals, which trees and lenses have in small letters. */
  names: 'read' | 'ascii' | 'unicode' | 'read from capitals';
  /** Names of tables, their aliases and those of WITH may be told apart by case, as the server is set. */
  tablesByServer: boolean;
}

/** Whether output names of the same SELECT are meant too, before its columns or after them. */
export type Outputs = 'no' | 'first' | 'also';

interface NameRules {
  /** The alias of a table is its whole row: before its columns, before names from further out, after everything but output
   *  names, or never. */
  wholeRow: 'first' | 'nearest' | 'last' | 'never';
  /** A path may begin with a column and go on into its value. */
  structPaths: boolean;
  /** `bare`: the key is nothing but a name. */
  outputs: {
    items: Outputs;
    where: Outputs;
    groupBy: { bare: Outputs; inside: Outputs };
    having: Outputs;
    qualify: Outputs;
    windows: Outputs;
    distinctOn: { bare: Outputs; inside: Outputs };
    orderBy: { bare: Outputs; inside: Outputs };
    limit: Outputs;
  };
  /** The name of an output that has no alias; empty where no one can know it. */
  output(value: Expression): string;
  /** What other unnamed outputs are called by: a fixed word, the engine's own text of them, or the text as it was written. */
  computed: 'word' | 'own text' | 'source text';
  /** Columns of VALUES are called by this and a number. */
  values: { prefix: string; from: number };
  /** What represents VALUES in FROM without an alias. */
  valuesAlias: string;
  /** A subquery in FROM sees what stands before it: always, or where LATERAL is written. */
  lateral: 'always' | 'written';
  /** Two tables of one FROM may be called alike. */
  sameAliasTwice: boolean;
  /** An alias leaves the name of its table in sight, where it hides one of the same name further out. */
  nameStays: boolean;
}

interface Functions {
  list: FunctionList;
  /** Schemas that may be written before a function. */
  schemas: ReadonlySet<string>;
  /** The schema by which a built-in can't be another's function, and those that don't stand in it; null: no other function
   *  can be called by such a name. */
  builtin: { schema: string; except: ReadonlySet<string> } | null;
  /** Functions whose result or work can be far larger than their arguments. */
  bounds: ReadonlyMap<string, CallBound>;
  /** Functions that call an aggregate whose name is a constant argument: which one, from 0 on. */
  callsNamed: ReadonlyMap<string, number>;
  inFrom: {
    columns: ReadonlyMap<string, readonly string[]>;
    /** What is not in `columns` can't stand in FROM; else it gives one column by its own name. */
    only: boolean;
    /** An alias names the one column, or is another name of it. */
    alias: 'names' | 'adds';
    /** Each argument is a column of its own. */
    perArgument: ReadonlySet<string>;
  };
}

/** Calls and operators by name. */
export interface Unstoppable {
  /** Work that nothing stops, on each part of one operand for each part of another. */
  pairwise: ReadonlySet<string>;
  /** The same, where an operand is a document. */
  pairwiseOfDocuments: ReadonlySet<string>;
  /** Calls and types that make documents. */
  documents: ReadonlySet<string>;
  /** Any number of rows in one value. */
  collects: ReadonlySet<string>;
  /** The last argument may come into the others any number of times. */
  spreads: ReadonlySet<string>;
  /** Several values in one. */
  joins: ReadonlySet<string>;
}

/** length: a constant one. format: a constant text without wide widths. series: constant bounds and step. exponent: none
 *  too large. arguments: exactly so many. span: so many
 *  units of time, as far as a series may step. */
export type CallBound =
  | { kind: 'length'; argument: number }
  | { kind: 'format' }
  | { kind: 'series' }
  | { kind: 'exponent' }
  | { kind: 'arguments'; count: number }
  | { kind: 'span'; unit: string };

/** A tree that this dialect has no text for. */
export class Unwritable extends Error {
  override name = 'Unwritable';
}

/** What the lens compiler says in an engine's words. */
export interface Compiling {
  /** First day of the period as a date. `zone`: the lens's timezone for instants, else null. */
  truncate(grain: Grain, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  /** The date or timestamp of an instant in a zone. */
  part(part: DayPart, value: Expression, datatype: Datatype, zone: Expression | null): Expression;
  previous(date: Expression, grain: Grain): Expression;
  /** So much later. */
  later(moment: Expression, span: Span): Expression;
  /** Whole days from the one to the other. */
  daysBetween(from: Expression, to: Expression): Expression;
  /** `types`: a date or a moment each. */
  secondsBetween(from: Expression, to: Expression, types: readonly Datatype[]): Expression;
  like(value: Expression, pattern: Expression, caseInsensitive: boolean, escaped: boolean): Expression;
  sameOrBothNull(left: Expression, right: Expression): Expression;
  /** A text that equals no other; null where the engine takes none for another. */
  exactText: ((value: Expression) => Expression) | null;
  /** What keeps its fraction when it is divided; null where `/` cuts nothing off. */
  divisible: ((value: Expression) => Expression) | null;
  /** A quotient of decimals has no more places than they: what authors divide is `divisible` too. */
  dividesByPlaces: boolean;
  /** A quotient has so many digits that the order of factors and divisors changes only the last of them. */
  longQuotients: boolean;
  /** To so many decimal places, as the engine rounds. */
  round(value: Expression, digits: number): Expression;
  /** To divide by zero is a fault, so that what gave rows never did. */
  faultsByZero: boolean;
  /** What an aggregate reads where it would lose digits of the value itself. */
  aggregated(fn: string, value: Expression, datatype: Datatype): Expression;
  median: ((value: Expression) => Expression) | null;
  /** The texts of the rows in their order, as one; null of none. Null where svc has no way to write it. */
  listed(text: Expression, separator: string, distinct: boolean): Expression | null;
  /** The number of signs of a text, blanks at its end too. */
  length(text: Expression): Expression;
  /** A text less another wherever it is in it. */
  without(text: Expression, part: Expression): Expression;
  /** What a datatype is cast to, as a cast that was read calls it. */
  types: Readonly<Record<Datatype, string>>;
  /** Types that can't be grouped or compared with a text as they are: what they are cast to; null: nothing a person asks for. */
  readAs: Readonly<Record<string, { datatype: Datatype; as: string } | null>>;
  /** Words beside those of every SQL that can't stand as the name of a table without quotes. */
  reserved: ReadonlySet<string>;
  /** ORDER BY may compute with an output name. */
  ordersByAlias: boolean;
  /** ORDER BY may hold a query about the row. */
  ordersBySubquery: boolean;
  /** Instants are read in UTC, so that this zone needs no conversion. */
  readsUtc: boolean;
}
