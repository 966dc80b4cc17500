// Rules that several grammars share: precedence, operators, joins and tokens.
import type { BinaryRule, ForeignGrammar } from './grammar.ts';

export const toWordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const PRECEDENCE = {
  or: 10,
  and: 20,
  not: 30,
  comparison: 40,
  compared: 50,
  pattern: 50,
  concat: 55,
  add: 60,
  multiply: 70,
  sign: 80,
  zone: 85,
  collate: 90,
  primary: 100,
};

export const createLeftAssociativeRule = (
  kind: BinaryRule['kind'],
  level: number,
  native: string,
  operator: string,
  text = operator,
): BinaryRule => ({ native, kind, operator, text, level, left: level, right: level + 1 });

export const createComparisonRule = (native: string, operator: string, text = operator): BinaryRule => ({
  native,
  kind: 'compare',
  operator,
  text,
  level: PRECEDENCE.comparison,
  left: PRECEDENCE.compared,
  right: PRECEDENCE.compared,
});

export const BINARY_RULES: readonly BinaryRule[] = [
  createLeftAssociativeRule('logic', PRECEDENCE.or, 'or', 'or', 'OR'),
  createLeftAssociativeRule('logic', PRECEDENCE.and, 'and', 'and', 'AND'),
  createComparisonRule('eq', '='),
  createComparisonRule('neq', '<>'),
  createComparisonRule('lt', '<'),
  createComparisonRule('lte', '<='),
  createComparisonRule('gt', '>'),
  createComparisonRule('gte', '>='),
  createLeftAssociativeRule('arithmetic', PRECEDENCE.add, 'add', '+'),
  createLeftAssociativeRule('arithmetic', PRECEDENCE.add, 'sub', '-'),
  createLeftAssociativeRule('arithmetic', PRECEDENCE.multiply, 'mul', '*'),
  createLeftAssociativeRule('arithmetic', PRECEDENCE.multiply, 'div', '/'),
  createLeftAssociativeRule('arithmetic', PRECEDENCE.multiply, 'mod', '%'),
];
export const DISTINCT_FROM_RULES: readonly BinaryRule[] = [
  createComparisonRule('null_safe_eq', 'is not distinct from', 'IS NOT DISTINCT FROM'),
  createComparisonRule('null_safe_neq', 'is distinct from', 'IS DISTINCT FROM'),
];
export const TIME_ZONE_RULE: BinaryRule = {
  ...createLeftAssociativeRule('operation', PRECEDENCE.zone, 'at_time_zone', 'at time zone', 'AT TIME ZONE'),
  right: PRECEDENCE.primary,
};
export const CONCAT_RULE = createLeftAssociativeRule('operation', PRECEDENCE.concat, 'concat', '||');

export const JOIN_RULES: ForeignGrammar['joins'] = {
  Inner: { how: 'inner', natural: false, text: 'JOIN' },
  Left: { how: 'left', natural: false, text: 'LEFT JOIN' },
  Right: { how: 'right', natural: false, text: 'RIGHT JOIN' },
  Cross: { how: 'cross', natural: false, text: 'CROSS JOIN' },
};
export const FULL_JOIN_RULE: ForeignGrammar['joins'] = { Full: { how: 'full', natural: false, text: 'FULL JOIN' } };
export const NATURAL_JOIN_RULES: ForeignGrammar['joins'] = {
  Natural: { how: 'inner', natural: true, text: 'NATURAL JOIN' },
  NaturalLeft: { how: 'left', natural: true, text: 'NATURAL LEFT JOIN' },
};

type TokenPatterns = ForeignGrammar['tokens'];
export const BLOCK_COMMENT_TOKEN: TokenPatterns[number] = ['comment', /\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\//y];
export const LINE_COMMENT_TOKEN: TokenPatterns[number] = ['comment', /--[^\r\n]*/y];
export const WORD_TOKEN: TokenPatterns[number] = ['word', /[A-Za-z_][A-Za-z0-9_]*(?![\p{L}\p{N}_$])/uy];
export const NUMBER_TOKEN: TokenPatterns[number] = [
  'number',
  /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.])/uy,
];
export const SYMBOL_TOKENS: TokenPatterns = [
  ['parameter', /:[A-Za-z_][A-Za-z0-9_]*/y],
  ['positional', /\?/y],
  ['open', /\(/y],
  ['close', /\)/y],
];

type RefusalRule = ForeignGrammar['refused'][number];
export const NESTED_COMMENT_REFUSAL: RefusalRule = {
  pattern: /\/\*/y,
  code: 'syntax',
  message: 'A comment is nested or not closed.',
};
export const DOUBLE_MINUS_REFUSAL: RefusalRule = {
  pattern: /--/y,
  code: 'construct',
  message: 'Put a space between two minus signs, or after the -- of a comment.',
};
export const VARIABLE_REFUSAL: RefusalRule = {
  pattern: /@/y,
  code: 'variable',
  message: 'Variables (@x, @@x) are not allowed.',
};
export const UNCLOSED_QUOTE_REFUSAL: RefusalRule = {
  pattern: /['"`]/y,
  code: 'syntax',
  message: 'A quote is not closed.',
};
export const MALFORMED_NUMBER_REFUSAL: RefusalRule = {
  pattern: /[.\d]/y,
  code: 'syntax',
  message: 'Write numbers like 1, 1.5 or 1e3, and put quotes around a name that begins with a digit.',
};

/** Removes the outer quotes, and replaces each pair of quotes inside with one. */
export const removeQuotes = (quotedText: string): string =>
  quotedText.slice(1, -1).replaceAll(quotedText[0]! + quotedText[0]!, quotedText[0]!);
export const quoteText = (quote: string, text: string): string => quote + text.replaceAll(quote, quote + quote) + quote;

/**
 * Refuses all other escapes. Only two backslashes, and a backslash before a quote, have the same meaning in every
 * version.
 */
export const refuseOtherEscapes: ForeignGrammar['refusalOf'] = (sourceText) =>
  /\\[^\\']/.test(sourceText.replaceAll('\\\\', ''))
    ? { code: 'backslash', message: "The only escapes allowed in a string are \\\\ and \\'." }
    : null;
export const removeQuotesAndEscapes = (quotedText: string): string =>
  quotedText.slice(1, -1).replace(/''|\\([\s\S])/g, (_, escaped?: string) => escaped ?? "'");

/** The rules for casts to these types. `aliases` maps the parser's names for types to the engine's. */
export const createTypeRules = (types: ReadonlySet<string>, aliases: Readonly<Record<string, string>>) => ({
  typesMessage: `Casts are allowed only to ${[...types].join(', ')}.`,
  foldType: (name: string) => aliases[name.toLowerCase()] ?? name.toLowerCase(),
});

export const COMMON_GRAMMAR = {
  spellings: [],
  stringAliases: false,
  silent: toWordSet('as inner outer asc'),
  operatorWords: {},
  foldFunction: (name) => name.toLowerCase(),
  widenings: { calls: new Map(), operators: new Map() },
  unitFunctions: new Map(),
  units: toWordSet('SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'),
  levels: PRECEDENCE,
  patterns: { like: { how: 'like', text: 'LIKE' } },
  joins: { ...JOIN_RULES, ...FULL_JOIN_RULE },
  chainableOperators: toWordSet('union'),
  namesSubqueries: false,
  endsOfSets: true,
  saysDistinct: true,
  nullsOrder: true,
  frames: toWordSet('rows range'),
  rollup: 'around',
  offsetFirst: false,
  collations: /(?!)/,
} as const satisfies Partial<ForeignGrammar>;
