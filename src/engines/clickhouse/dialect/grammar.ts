// The grammar of ClickHouse's SQL. svc accepts a backslash in a string or quoted name only if every version of
// ClickHouse reads it in the same way.
import { UnwritableError } from '../../../dialects/dialect.ts';
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  BLOCK_COMMENT_TOKEN,
  COMMON_GRAMMAR,
  CONCAT_RULE,
  createComparisonRule,
  DOUBLE_MINUS_REFUSAL,
  MALFORMED_NUMBER_REFUSAL,
  NESTED_COMMENT_REFUSAL,
  quoteText,
  refuseOtherEscapes,
  removeQuotes,
  removeQuotesAndEscapes,
  SYMBOL_TOKENS,
  toWordSet,
  VARIABLE_REFUSAL,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { CLICKHOUSE_FUNCTIONS, foldClickhouseFunction } from './functions.ts';

export const CLICKHOUSE_TYPES = toWordSet(
  `String Bool Date Date32 DateTime DateTime64 Float32 Float64 Decimal Int8 Int16 Int32 Int64 Int128 Int256 UInt8 UInt16
   UInt32 UInt64 UInt128 UInt256 UUID`,
);
const FIRST_STORABLE_DAY = '1900-01-01';
const LAST_STORABLE_DAY = '2299-12-31';
const requireStorableDay = (day: string, sql: string): string => {
  if (day < FIRST_STORABLE_DAY || day > LAST_STORABLE_DAY) throw new UnwritableError('a day before 1900 or after 2299');
  return sql;
};
/** ClickHouse reads larger integer literals as floats. */
const MAX_INTEGER = 18_446_744_073_709_551_615n;
const writeDecimal = (value: string): string | null => {
  const [, sign = '', integer, fractionDigits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (integer === undefined || (fractionDigits === '' && BigInt(integer) <= MAX_INTEGER)) return null;
  if (integer.replace(/^0+/, '').length + fractionDigits.length > 38) return null;
  return `${sign}CAST('${value.slice(sign.length)}' AS Decimal(38, ${fractionDigits.length}))`;
};

export const CLICKHOUSE_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'clickhouse',

  tokens: [
    // Treats the casts that `widenings` adds as comments, so that svc ignores them.
    ['comment', /CAST\(1 AS Decimal\(76, (?:0|12)\)\) \* /y],
    BLOCK_COMMENT_TOKEN,
    ['comment', /--(?=\s|$)[^\r\n]*/y],
    ['string', /'(?:[^'\\]|''|\\[\s\S])*'/y],
    ['identifier', /`(?:[^`\\]|``)+`/y],
    ['identifier', /"(?:[^"\\]|"")+"/y],
    ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.])/uy],
    WORD_TOKEN,
    ...SYMBOL_TOKENS,
    ['symbol', /\|\||==|<=>|<=|>=|<>|!=|-(?![->])|\/(?!\*)|[+*%=<>.,;]/y],
  ],
  refused: [
    NESTED_COMMENT_REFUSAL,
    DOUBLE_MINUS_REFUSAL,
    { pattern: /[#$]/y, code: 'construct', message: 'Write comments with /* */ and strings with quotes.' },
    VARIABLE_REFUSAL,
    {
      pattern: /::|->|[[\]{}]/y,
      code: 'operator',
      message: 'Casts with ::, lambdas, arrays, maps and {name:Type} are not allowed.',
    },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed, or a quoted name contains a backslash.' },
    MALFORMED_NUMBER_REFUSAL,
  ],
  // A plain date literal has the type Date, which changes years before 1970. A plain number with a decimal point is a
  // float.
  spellings: [
    { type: 'number', pattern: /CAST\('(\d+(?:\.\d+)?)' AS Decimal\(38, \d{1,2}\)\)/y, text: writeDecimal },
    {
      type: 'date',
      pattern: /CAST\('(\d{4}-\d\d-\d\d)' AS Date32\)/y,
      text: (value) => requireStorableDay(value, `CAST('${value}' AS Date32)`),
    },
    {
      type: 'timestamp',
      pattern: /CAST\('(\d{4}-\d\d-\d\d [\d:.]+)' AS DateTime64\(6\)\)/y,
      text: (value) => requireStorableDay(value.slice(0, 10), `CAST('${value}' AS DateTime64(6))`),
    },
  ],
  unquote: (kind, sourceText) => {
    if (kind === 'identifier') return removeQuotes(sourceText);
    return removeQuotesAndEscapes(sourceText);
  },
  refusalOf: refuseOtherEscapes,
  stringTypeWords: toWordSet('date timestamp'),

  keywords: toWordSet(
    `select distinct from where prewhere sample array and or not in exists any all some as on using join inner outer cross
     full semi anti asof global union except intersect order by group having limit offset when then else case end
     over values with recursive between like ilike is div mod interval cast extract lateral partition window escape collate
     settings format final qualify nulls date timestamp natural fill ties top into outfile paste only`,
  ),
  quotedOnly: toWordSet('any all asof semi anti global paste array final sample prewhere settings format into'),
  synonyms: { '!=': '<>', '==': '=' },

  foldFunction: foldClickhouseFunction,
  isFunction: (name) => CLICKHOUSE_FUNCTIONS.has(name),
  // Casts that svc adds, because sums overflow silently at 64 bits or 38 digits, and a quotient has only as many
  // decimal places as its dividend.
  widenings: {
    calls: new Map(['sum', 'sumIf'].map((name) => [name, 'CAST(1 AS Decimal(76, 0)) * '])),
    operators: new Map([['/', 'CAST(1 AS Decimal(76, 12)) * ']]),
  },
  bareCalls: new Set(),

  binaryRules: [...BINARY_RULES, CONCAT_RULE, createComparisonRule('null_safe_eq', 'is not distinct from', '<=>')],
  patterns: { like: { how: 'like', text: 'LIKE' }, i_like: { how: 'ilike', text: 'ILIKE' } },
  endsOfSets: false,
  features: new Set(['is true', 'computed intervals']),
  rollup: 'behind',
  types: new RegExp(`^(?:${[...CLICKHOUSE_TYPES].join('|')})(?:\\(\\d{1,2}(?:,\\d{1,2})?\\))?$`),
  typesMessage: `Casts are allowed only to ${[...CLICKHOUSE_TYPES].join(', ')}.`,
  foldType: (name) => [...CLICKHOUSE_TYPES].find((type) => type.toLowerCase() === name.toLowerCase()) ?? name,

  quoteName: (name) => quoteText('`', name),
  quoteText: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
};
