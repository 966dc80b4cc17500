// The grammar of an engine without a parser library, as data. All such engines share one parser (parse.ts)
// and one proof that it read the statement correctly (prove.ts).
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
  /** The value of a string, the name inside quotes, otherwise the source text. */
  text: string;
}

/** How to write a constant as a cast of its text, for engines that read the plain constant less exactly. */
interface Spelling {
  type: 'number' | 'date' | 'time' | 'timestamp';
  /** Sticky pattern of the cast; its first group is the value. Matches only what `text` writes. */
  pattern: RegExp;
  /** Null if the plain constant is exact. Throws Unwritable if the engine has no such value. */
  text(value: string): string | null;
}

interface Refusal {
  pattern: RegExp;
  code: string;
  message: string;
}

/**
 * A binary operator with its precedence and the lowest precedence that its operands may have without
 * parentheses, both when read and when written.
 */
export interface BinaryRule {
  /** The parser's name for it. */
  native: string;
  kind: 'logic' | 'compare' | 'arithmetic' | 'operation';
  operator: string;
  text: string;
  level: number;
  left: number;
  right: number;
}

export interface ForeignGrammar {
  /** The parser's name for the engine. */
  parser: string;

  /** Sticky patterns of tokens, tried in order. */
  tokens: readonly (readonly [ForeignToken['kind'], RegExp])[];
  /** Patterns that are refused at the start of a token, with the reason. */
  refused: readonly Refusal[];
  spelled: readonly Spelling[];
  /** The value of a string or quoted name as written. */
  unquoted(kind: ForeignToken['kind'], written: string): string;
  /** Why the value of a string is uncertain, or null. */
  doubtful(written: string, value: string): Omit<Refusal, 'pattern'> | null;
  /** Words that give the type of the string directly after them. */
  typedStrings: ReadonlySet<string>;
  /** True if a string after AS can name an output. */
  stringAliases: boolean;

  /** Words that are never functions and never end an operand. */
  keywords: ReadonlySet<string>;
  /** Words that are names only inside quotes, because the engine may use them in its grammar. */
  quotedOnly: ReadonlySet<string>;
  /** Words without effect, which may be omitted. */
  silent: ReadonlySet<string>;
  /** Words and signs with the same meaning as others. */
  synonyms: Readonly<Record<string, string>>;
  /** Words that are an operator after an operand and a function before a parenthesis, with the operator's sign. */
  operatorWords: Readonly<Record<string, string>>;

  /** Folds a function name as the engine compares it. */
  foldFunction(name: string): string;
  /** True for functions that are recognized without parentheses. */
  isFunction(name: string): boolean;
  /**
   * Text written before the first argument of these functions and the left operand of these operators. It
   * widens the type without changing the value, and the lexer skips it as a comment.
   */
  widens: Readonly<Record<'calls' | 'operators', ReadonlyMap<string, string>>>;
  /** Functions that can be written without parentheses. */
  bareCalls: ReadonlySet<string>;
  /** Functions with a time unit as an argument, with the index of that argument. */
  unitFunctions: ReadonlyMap<string, number>;
  units: ReadonlySet<string>;

  binary: readonly BinaryRule[];
  levels: Readonly<{
    not: number;
    comparison: number;
    /** The lowest precedence of the operands of comparisons and of the pattern of LIKE. */
    compared: number;
    pattern: number;
    sign: number;
    collate: number;
    primary: number;
  }>;
  /** Keyed by the parser's names. */
  patterns: Readonly<Record<string, { how: Like['how']; text: string }>>;
  joins: Readonly<Record<string, { how: Join['how']; natural: boolean; text: string }>>;
  /** Set operations that can be chained without parentheses. */
  chained: ReadonlySet<string>;
  /** True if a subquery in FROM needs an alias. */
  namesSubqueries: boolean;
  /** True if ORDER BY and LIMIT after a set operation apply to all its rows, not only to its last part. */
  endsOfSets: boolean;
  /** True if the engine accepts UNION DISTINCT. svc writes it, because a setting decides what a plain UNION means. */
  saysDistinct: boolean;
  /** True if the engine has NULLS FIRST and NULLS LAST. */
  nullsOrder: boolean;
  frames: ReadonlySet<string>;
  /** Optional features of the engine. */
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
    | 'qualify with where'
    | 'star except'
    /** The unit of an interval is inside its text, as in INTERVAL '1 day'. */
    | 'interval texts'
    /** The engine writes LIMIT as TOP (n) after SELECT, or as FETCH NEXT n ROWS ONLY after OFFSET. */
    | 'top'
    /** Unquoted names are stored in capitals and appear in trees in lowercase. */
    | 'capitals'
  >;
  /** How rollups are written: GROUP BY a WITH ROLLUP, or GROUP BY ROLLUP (a). */
  rollup: 'behind' | 'around';
  /** True if OFFSET must come before LIMIT. */
  offsetFirst: boolean;
  collations: RegExp;
  /** The types that a cast may name, and the message for any other. */
  types: RegExp;
  typesMessage: string;
  /** Maps the spellings of a type name to the one in trees. */
  foldType(name: string): string;

  quoteName(name: string): string;
  quoteText(text: string): string;
}

/** Text of a type, both for reading and for writing. */
export const typeText = ({ name, modifiers }: TypeName): string =>
  modifiers.length > 0 ? name.replace(/^\S+/, (first) => `${first}(${modifiers.join(',')})`) : name;
