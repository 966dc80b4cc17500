// Declares the grammar of an engine without a parser library. All such engines share one parser (parse.ts), and one
// check that the parser read the statement correctly (prove.ts).
import type { Token } from '../lexer.ts';
import type { Join, Like, TypeName } from '../tree.ts';

export interface ForeignToken {
  kind: Token['kind'] | 'number';
  start: number;
  end: number;
  /** The value of a string, the name inside quotes, or the token as written. */
  text: string;
}

/**
 * A literal that svc writes as a cast of a string, for engines that lose precision when they read the plain literal.
 */
interface LiteralCast {
  type: 'number' | 'date' | 'time' | 'timestamp';
  /** A sticky pattern that matches only the output of `text`. Its first group is the value. */
  pattern: RegExp;
  /**
   * Returns the cast, or null if the engine reads the plain literal exactly. Throws UnwritableError if the engine can't
   * hold the value.
   */
  text(value: string): string | null;
}

interface TokenRefusal {
  pattern: RegExp;
  code: string;
  message: string;
}

/** A binary operator. `left` and `right` are the lowest precedences that its operands can have without parentheses. */
export interface BinaryRule {
  /** The operator's name in the parser. */
  native: string;
  kind: 'logic' | 'compare' | 'arithmetic' | 'operation';
  operator: string;
  text: string;
  level: number;
  left: number;
  right: number;
}

export interface ForeignGrammar {
  /** The engine's name in the parser. */
  parser: string;

  /** A pattern for each kind of token, with the sticky flag. The first match applies. */
  tokens: readonly (readonly [ForeignToken['kind'], RegExp])[];
  /** Patterns that svc refuses at a position where no token matches. Each has a reason. */
  refused: readonly TokenRefusal[];
  spellings: readonly LiteralCast[];
  unquote(kind: ForeignToken['kind'], sourceText: string): string;
  /** Returns the reason for a refusal if servers can disagree about the value of a string, otherwise null. */
  refusalOf(sourceText: string, value: string): Omit<TokenRefusal, 'pattern'> | null;
  /** Words that set the type of the next string, such as DATE. */
  stringTypeWords: ReadonlySet<string>;
  /** True if the alias after AS can be a string. */
  stringAliases: boolean;

  /** Words that are never functions and never end an operand. */
  keywords: ReadonlySet<string>;
  /** Words that need quotes as names, because a version of the engine may reserve them. */
  quotedOnly: ReadonlySet<string>;
  /** Optional words that don't change the meaning of a statement. */
  silent: ReadonlySet<string>;
  /** Maps words and signs to others with the same meaning, such as `!=` to `<>`. */
  synonyms: Readonly<Record<string, string>>;
  /**
   * Maps words to operator signs. After an operand, the word is an operator. Before a parenthesis, the word is a
   * function.
   */
  operatorWords: Readonly<Record<string, string>>;

  /** Folds the case of a function name as the engine does for comparisons. */
  foldFunction(name: string): string;
  /** Returns true if svc recognizes the function even with a space before the parenthesis. */
  isFunction(name: string): boolean;
  /**
   * SQL that svc writes before the first argument of these functions and before the left operand of these operators. It
   * widens the type and leaves the value unchanged. The lexer skips it like a comment.
   */
  widenings: Readonly<Record<'calls' | 'operators', ReadonlyMap<string, string>>>;
  /** Functions that a statement can call without parentheses, such as current_date. */
  bareCalls: ReadonlySet<string>;
  /** Functions that take a time unit, with the position of that argument. */
  unitFunctions: ReadonlyMap<string, number>;
  units: ReadonlySet<string>;

  binaryRules: readonly BinaryRule[];
  levels: Readonly<{
    not: number;
    comparison: number;
    /** The lowest precedence with which a comparison's operand or a LIKE pattern needs no parentheses. */
    compared: number;
    pattern: number;
    sign: number;
    collate: number;
    primary: number;
  }>;
  /** Pattern operators such as LIKE, keyed by the name that the parser gives them. */
  patterns: Readonly<Record<string, { how: Like['how']; text: string }>>;
  joins: Readonly<Record<string, { how: Join['how']; natural: boolean; text: string }>>;
  /** Set operations that can follow each other without parentheses. */
  chainableOperators: ReadonlySet<string>;
  /** True if a subquery in FROM needs an alias. */
  namesSubqueries: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to the whole result, not only to the last query. */
  endsOfSets: boolean;
  /**
   * True if the engine accepts UNION DISTINCT. svc then always writes DISTINCT, because a setting can change the
   * meaning of a plain UNION.
   */
  saysDistinct: boolean;
  /** True if the engine has NULLS FIRST and NULLS LAST. */
  nullsOrder: boolean;
  /** The units of window frames: rows, range or groups. */
  frames: ReadonlySet<string>;
  features: ReadonlySet<
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
    | 'qualify with where'
    | 'star except'
    /** An interval has its unit inside the string, as in INTERVAL '1 day'. */
    | 'interval texts'
    /** The limit is written as TOP (n) after SELECT, or as FETCH NEXT n ROWS ONLY after OFFSET. */
    | 'top'
    /** The engine stores unquoted names in capitals. Trees contain such names in lowercase. */
    | 'capitals'
  >;
  /** The syntax of rollups. `behind`: GROUP BY a WITH ROLLUP. `around`: GROUP BY ROLLUP (a). */
  rollup: 'behind' | 'around';
  /** True if OFFSET comes before LIMIT. */
  offsetFirst: boolean;
  /** Matches the collations that a statement can name. */
  collations: RegExp;
  /** Matches the types that a cast can name. `typesMessage` is the message for other types. */
  types: RegExp;
  typesMessage: string;
  /** Returns the name that trees use for a type. */
  foldType(name: string): string;

  quoteName(name: string): string;
  quoteText(text: string): string;
}

/** Returns the text of a type in a statement, to check a type or to write it. */
export const formatTypeName = ({ name, modifiers }: TypeName): string =>
  modifiers.length > 0 ? name.replace(/^\S+/, (word) => `${word}(${modifiers.join(',')})`) : name;
