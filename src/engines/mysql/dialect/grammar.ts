// The grammar of MySQL's SQL. svc's sessions have NO_BACKSLASH_ESCAPES, but neither ANSI_QUOTES nor IGNORE_SPACE.
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  COMMON_GRAMMAR,
  PRECEDENCE as COMMON_LEVELS,
  createComparisonRule,
  createLeftAssociativeRule,
  DOUBLE_MINUS_REFUSAL,
  JOIN_RULES,
  MALFORMED_NUMBER_REFUSAL,
  NATURAL_JOIN_RULES,
  NUMBER_TOKEN,
  quoteText,
  removeQuotes,
  SYMBOL_TOKENS,
  toWordSet,
  UNCLOSED_QUOTE_REFUSAL,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { MYSQL_FUNCTIONS } from './functions.ts';

const HEX_PREFIX = "_utf8mb4 x'";
/** LIKE is left-associative and has the precedence of `sign`. */
const PRECEDENCE_LEVELS = { ...COMMON_LEVELS, pattern: COMMON_LEVELS.sign };

export const MYSQL_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'mysql',

  tokens: [
    ['comment', /\/\*(?!!|\+|M!)(?:(?!\/\*|\*\/)[\s\S])*\*\//y],
    ['comment', /--(?=\s|$)[^\r\n]*/y],
    // svc accepts and writes a string with a backslash only as hexadecimal bytes.
    ['string', /_utf8mb4 x'(?:[0-9A-F]{2})*'/y],
    ['string', /'(?:[^']|'')*'/y],
    ['string', /"(?:[^"]|"")*"/y],
    ['identifier', /`(?:[^`]|``)+`/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    // Unquoted names can contain letters outside ASCII.
    ['identifier', /[\p{L}_][\p{L}\p{N}_$]*/uy],
    ...SYMBOL_TOKENS,
    ['symbol', /<=>|<=|>=|<>|!=|-(?!-)|\/(?!\*)|[+*%=<>.,;]/y],
  ],
  refused: [
    {
      pattern: /\/\*/y,
      code: 'executable_comment',
      message: 'A comment that is nested, unclosed, or begins with /*!, /*M! or /*+ is not allowed.',
    },
    DOUBLE_MINUS_REFUSAL,
    { pattern: /#/y, code: 'construct', message: 'Write comments with /* */ or with -- and a space.' },
    { pattern: /@/y, code: 'variable', message: 'Variables (@x, @@x) are not allowed.' },
    {
      pattern: /\|\|/y,
      code: 'operator',
      message: 'Some servers read the operator || as OR. Write OR or concat(…).',
    },
    { pattern: /&&|!/y, code: 'operator', message: 'Write AND, OR and NOT as words.' },
    { pattern: /->/y, code: 'operator', message: 'Write json_extract(…) instead of ->.' },
    { pattern: /:=/y, code: 'variable', message: 'Variables (:=) are not allowed.' },
    UNCLOSED_QUOTE_REFUSAL,
    MALFORMED_NUMBER_REFUSAL,
  ],
  unquote: (kind, sourceText) => {
    const quote = sourceText[0]!;
    if (sourceText.startsWith(HEX_PREFIX))
      return Buffer.from(sourceText.slice(HEX_PREFIX.length, -1), 'hex').toString('utf8');
    const isQuoted = kind === 'string' || quote === '`';
    return isQuoted ? removeQuotes(sourceText) : sourceText;
  },
  refusalOf: (sourceText, value) =>
    !sourceText.startsWith('_') && value.includes('\\')
      ? {
          code: 'backslash',
          message: 'Servers differ in how they read a backslash in a string. Write char(92) instead of the backslash.',
        }
      : null,
  stringTypeWords: toWordSet('date time timestamp'),
  stringAliases: true,

  keywords: toWordSet(
    `select distinct from where and or not xor in exists all any some as on using join inner outer cross natural union
     except intersect order by group having limit offset when then else case end over values with recursive between like
     rlike regexp is div interval cast convert extract group_concat lateral partition window separator escape collate
     binary row return decimal numeric varchar datetime signed unsigned double float`,
  ),
  quotedOnly: new Set(),
  synonyms: { '!=': '<>', rlike: 'regexp' },
  operatorWords: { mod: '%' },

  isFunction: (name) => MYSQL_FUNCTIONS.has(name),
  bareCalls: toWordSet(
    'current_date current_time current_timestamp localtime localtimestamp utc_date utc_time utc_timestamp',
  ),
  unitFunctions: new Map([
    ['timestampdiff', 0],
    ['timestampadd', 0],
  ]),
  units: toWordSet('MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'),

  binaryRules: [
    ...BINARY_RULES,
    createComparisonRule('null_safe_eq', 'is not distinct from', '<=>'),
    createLeftAssociativeRule('arithmetic', PRECEDENCE_LEVELS.multiply, 'int_div', '//', 'DIV'),
  ],
  levels: PRECEDENCE_LEVELS,
  patterns: { like: { how: 'like', text: 'LIKE' }, regexp_like: { how: 'regexp', text: 'REGEXP' } },
  joins: { ...JOIN_RULES, ...NATURAL_JOIN_RULES },
  namesSubqueries: true,
  saysDistinct: false,
  nullsOrder: false,
  features: new Set(['is true', 'computed intervals']),
  rollup: 'behind',
  collations: /^(?:utf8mb[34]_\w+|binary)$/,
  types: /^(?:signed|unsigned|char|date|time|datetime|decimal|double|float)(?:\(\d{1,3}(?:,\d{1,2})?\))?$/,
  typesMessage: 'Casts are allowed only to signed, unsigned, decimal, double, char, date, datetime or time.',
  foldType: (name) => name.toLowerCase(),

  quoteName: (name) => quoteText('`', name),
  // Writes a string with a backslash as hexadecimal bytes, because the meaning of a backslash depends on the sql_mode.
  quoteText: (text) =>
    text.includes('\\')
      ? `${HEX_PREFIX}${Buffer.from(text, 'utf8').toString('hex').toUpperCase()}'`
      : quoteText("'", text),
};
