// How an engine without a parser of its own for us is read and written: all that tells one such engine from another, as
// data. The parser is the same for each (parse.ts), and so is the proof that it read what is written (prove.ts).
import type { Join, Like, TypeName } from '../tree.ts';

export interface ForeignToken {
  kind:
    | 'word'
    | 'number'
    | 'string'
    | 'identifier'
    | 'open'
    | 'close'
    | 'symbol'
    | 'parameter'
    | 'positional'
    | 'comment';
  start: number;
  end: number;
  /** The value of a string, the name in quotes, otherwise the text. */
  text: string;
}

/** A constant that runs as a cast of its text, where the engine takes the plain one for something less exact. */
interface Spelling {
  type: 'number' | 'date' | 'time' | 'timestamp';
  /** The cast, sticky; its first group is the value. Only what `text` gives is taken for one. */
  pattern: RegExp;
  /** Null where the plain one is exact. Throws Unwritable where the engine has no such value. */
  text(value: string): string | null;
}

interface Refusal {
  pattern: RegExp;
  code: string;
  message: string;
}

/** An operator between two operands. Each has the level at which it stands and the least levels of its operands: one
 *  below needs brackets, in what is read and in what is written. */
export interface BinaryRule {
  /** What the parser calls it. */
  native: string;
  kind: 'logic' | 'compare' | 'arithmetic' | 'operation';
  operator: string;
  text: string;
  level: number;
  left: number;
  right: number;
}

export interface ForeignGrammar {
  /** What the parser calls the engine. */
  parser: string;

  /** What tokens look like, in the order in which they are tried; each pattern is sticky. */
  tokens: readonly (readonly [ForeignToken['kind'], RegExp])[];
  /** What no token begins with, and why. */
  refused: readonly Refusal[];
  spelled: readonly Spelling[];
  /** The value of a string or a quoted name as it is written. */
  unquoted(kind: ForeignToken['kind'], written: string): string;
  /** Why a string can't be believed; null when it can. */
  doubtful(written: string, value: string): Omit<Refusal, 'pattern'> | null;
  /** Words that may stand straight before a string and type it. */
  typedStrings: ReadonlySet<string>;
  /** Strings may name outputs after AS. */
  stringAliases: boolean;

  /** Words that are never a function and after which no operand has ended. */
  keywords: ReadonlySet<string>;
  /** Words that are a name in quotes only: elsewhere the engine may take them for a part of its grammar. */
  quotedOnly: ReadonlySet<string>;
  /** Words that change nothing and may be left out. */
  silent: ReadonlySet<string>;
  /** Words and signs that say the same as others. */
  synonyms: Readonly<Record<string, string>>;
  /** A word that is an operator after an operand and a function before a bracket, with the sign it represents. */
  operatorWords: Readonly<Record<string, string>>;

  /** Names of functions as the engine compares them. */
  foldFunction(name: string): string;
  /** Functions that need no bracket beside their name to be known as one. */
  isFunction(name: string): boolean;
  /** What the text for the engine has before the first argument of these functions, and before the left operand of these
   *  operators: it widens the type and changes no value, so that tokens take it for a comment. */
  widens: Readonly<Record<'calls' | 'operators', ReadonlyMap<string, string>>>;
  /** Functions that may be written without brackets. */
  bareCalls: ReadonlySet<string>;
  /** Functions of which one argument is a unit and no column: which one, from 0 on. */
  unitFunctions: ReadonlyMap<string, number>;
  units: ReadonlySet<string>;

  binary: readonly BinaryRule[];
  levels: Readonly<{
    not: number;
    comparison: number;
    /** The least level of the operands of comparisons, and of the pattern of LIKE. */
    compared: number;
    pattern: number;
    sign: number;
    collate: number;
    primary: number;
  }>;
  /** By the parser's names. */
  patterns: Readonly<Record<string, { how: Like['how']; text: string }>>;
  joins: Readonly<Record<string, { how: Join['how']; natural: boolean; text: string }>>;
  /** Set operations of which several may stand in a row without brackets. */
  chained: ReadonlySet<string>;
  /** A subquery in FROM must have an alias. */
  namesSubqueries: boolean;
  /** ORDER BY and LIMIT behind a set operation are for all its rows, not for its last part. */
  endsOfSets: boolean;
  /** DISTINCT is known behind UNION, and written there: a setting says what is meant without it. */
  saysDistinct: boolean;
  /** NULLS FIRST and NULLS LAST are known. */
  nullsOrder: boolean;
  frames: ReadonlySet<string>;
  /** What not every engine has and this one does. */
  knows: ReadonlySet<
    | 'catalogs'
    | 'paths in quotes'
    | 'filter'
    | 'within group'
    | 'try_cast'
    | 'safe_cast'
    | 'is true'
    | 'computed intervals'
    | 'counted intervals'
    | 'qualify'
    | 'qualify beside where'
    | 'star except'
    /** The unit of an interval is in its text: INTERVAL '1 day'. */
    | 'interval texts'
    /** TOP (n) behind SELECT, or FETCH NEXT n ROWS ONLY behind OFFSET, is what others call LIMIT. */
    | 'top'
    /** Names without quotes are stored in capitals, which trees have in small letters. */
    | 'capitals'
  >;
  /** How subtotals are written: GROUP BY a WITH ROLLUP, or GROUP BY ROLLUP (a). */
  rollup: 'behind' | 'around';
  /** OFFSET stands before LIMIT, and nowhere else. */
  offsetFirst: boolean;
  collations: RegExp;
  /** What a value may be cast to, and what is said of any other type. */
  types: RegExp;
  typesMessage: string;
  /** The name of a type in the one spelling of the tree. */
  foldType(name: string): string;

  quoteName(name: string): string;
  quoteText(text: string): string;
}

/** The text of a type; the same for reading and writing. */
export const typeText = ({ name, modifiers }: TypeName): string =>
  modifiers.length > 0 ? name.replace(/^\S+/, (first) => `${first}(${modifiers.join(',')})`) : name;
