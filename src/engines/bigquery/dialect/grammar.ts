import { UnwritableError } from '../../../dialects/dialect.ts';
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  BLOCK_COMMENT_TOKEN,
  COMMON_GRAMMAR,
  createLeftAssociativeRule,
  createTypeRules,
  DISTINCT_FROM_RULES,
  LINE_COMMENT_TOKEN,
  MALFORMED_NUMBER_REFUSAL,
  NESTED_COMMENT_REFUSAL,
  NUMBER_TOKEN,
  PRECEDENCE,
  SYMBOL_TOKENS,
  toWordSet,
  VARIABLE_REFUSAL,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { BIGQUERY_FUNCTIONS } from './functions.ts';

export const BIGQUERY_TYPES = toWordSet('string int64 float64 bool numeric bignumeric date datetime time timestamp');
const TYPE_ALIASES: Readonly<Record<string, string>> = { decimal: 'numeric', boolean: 'bool' };
/** BigQuery refuses larger integer literals, and reads literals with a decimal point as floats. */
const MAX_INTEGER = 9_223_372_036_854_775_807n;
const writeExactNumber = (value: string): string | null => {
  const [, sign, integer, fractionDigits] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(value) ?? [];
  if (integer === undefined || (fractionDigits === undefined && BigInt(integer) <= MAX_INTEGER)) return null;
  if (integer.replace(/^0+/, '').length > 38 || (fractionDigits ?? '').length > 38)
    throw new UnwritableError('a number with more than 38 digits before or after its decimal point');
  return `${sign}BIGNUMERIC '${value.slice(sign!.length)}'`;
};

/** The escapes that have the same meaning in every kind of string. */
const ESCAPED_CHARACTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const ESCAPE_PATTERN = /\\([\s\S])/g;

export const BIGQUERY_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'bigquery',

  tokens: [
    BLOCK_COMMENT_TOKEN,
    LINE_COMMENT_TOKEN,
    ['comment', /#[^\r\n]*/y],
    // The pattern excludes strings in triple quotes, which svc refuses.
    ['string', /'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*'/y],
    ['string', /"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"/y],
    ['identifier', /`[^`\\\r\n]+`/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    ...SYMBOL_TOKENS,
    ['symbol', /\|\||<=|>=|<>|!=|-(?!>)|\/(?!\*)|=(?!>)|[+*<>.,;]/y],
  ],
  refused: [
    NESTED_COMMENT_REFUSAL,
    VARIABLE_REFUSAL,
    { pattern: /\|>/y, code: 'construct', message: 'Pipe syntax is not allowed. Write SELECT … FROM ….' },
    {
      pattern: /=>|->|[[\]{}]/y,
      code: 'operator',
      message: 'Lambdas, named arguments, arrays and legacy SQL are not allowed.',
    },
    { pattern: /%/y, code: 'operator', message: 'Write mod(a, b).' },
    {
      pattern: /['"`]/y,
      code: 'syntax',
      message:
        'A quote is not closed on the same line, a string has triple quotes, or a quoted name contains a backslash.',
    },
    MALFORMED_NUMBER_REFUSAL,
  ],
  spellings: [{ type: 'number', pattern: /BIGNUMERIC '([\d.]+)'/y, text: writeExactNumber }],
  unquote: (kind, sourceText) => {
    const body = sourceText.slice(1, -1);
    return kind === 'identifier'
      ? body
      : body.replace(ESCAPE_PATTERN, (_, sign: string) => ESCAPED_CHARACTERS[sign] ?? sign);
  },
  refusalOf: (sourceText) =>
    [...sourceText.matchAll(ESCAPE_PATTERN)].some(([, sign = '']) => !'\\\'"`nrt'.includes(sign))
      ? {
          code: 'backslash',
          message: 'The only escapes allowed in a string are \\\\, \\\', \\", \\`, \\n, \\r and \\t.',
        }
      : null,
  stringTypeWords: toWordSet('date time datetime timestamp interval'),

  keywords: toWordSet(
    `select distinct from where and or not in exists any all some as on using join inner outer cross natural full union
     except intersect order by group having qualify limit offset fetch when then else case end over values with
     recursive between like escape is null interval cast safe_cast extract lateral unnest tablesample partition window
     rollup cube grouping sets rows range groups array struct at for collate ignore respect nulls pivot unpivot
     match_recognize within corresponding only ties`,
  ),
  quotedOnly: toWordSet(
    `any all some unnest lateral tablesample match_recognize array struct offset limit fetch except qualify
     natural using window union intersect at for rollup cube grouping pivot unpivot value within collate`,
  ),
  synonyms: { '!=': '<>' },

  isFunction: (name) => BIGQUERY_FUNCTIONS.has(name),
  bareCalls: toWordSet('current_date current_datetime current_time current_timestamp'),
  unitFunctions: new Map([
    ...['date', 'datetime', 'timestamp', 'time'].flatMap((typeName) => [
      [`${typeName}_trunc`, 1] as const,
      [`${typeName}_diff`, 2] as const,
    ]),
    ['last_day', 1],
  ]),
  units: toWordSet(
    `MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY DAYOFWEEK DAYOFYEAR WEEK ISOWEEK MONTH QUARTER YEAR ISOYEAR DATE TIME`,
  ),

  binaryRules: [
    ...BINARY_RULES.filter(({ native }) => native !== 'mod'),
    // `||` has the precedence of `*`.
    createLeftAssociativeRule('operation', PRECEDENCE.multiply, 'concat', '||'),
    ...DISTINCT_FROM_RULES,
  ],
  features: new Set([
    'catalogs',
    'paths in quotes',
    'safe_cast',
    'is true',
    'counted intervals',
    'qualify',
    'qualify with where',
    'star except',
  ]),
  types:
    /^(?:(?:string|numeric|bignumeric)(?:\(\d{1,9}(?:,\d{1,2})?\))?|int64|float64|bool|date|datetime|time|timestamp)$/,
  ...createTypeRules(BIGQUERY_TYPES, TYPE_ALIASES),

  quoteName: (name) => {
    if (/[`\\\r\n]/.test(name)) throw new UnwritableError('a quote or a backslash in a name');
    return `\`${name}\``;
  },
  quoteText: (text) => {
    const signs: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };
    return `'${text.replace(/[\\']/g, '\\$&').replace(/[\r\n]/g, (sign) => signs[sign]!)}'`;
  },
};
