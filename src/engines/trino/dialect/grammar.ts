// The grammar of Trino's SQL. Names are case-insensitive even in quotes, and strings have no escapes.
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  BLOCK_COMMENT_TOKEN,
  COMMON_GRAMMAR,
  CONCAT_RULE,
  createTypeRules,
  DISTINCT_FROM_RULES,
  FULL_JOIN_RULE,
  JOIN_RULES,
  LINE_COMMENT_TOKEN,
  MALFORMED_NUMBER_REFUSAL,
  NATURAL_JOIN_RULES,
  NESTED_COMMENT_REFUSAL,
  NUMBER_TOKEN,
  quoteText,
  removeQuotes,
  SYMBOL_TOKENS,
  TIME_ZONE_RULE,
  toWordSet,
  VARIABLE_REFUSAL,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { TRINO_FUNCTIONS } from './functions.ts';

const TYPE_WORDS =
  'varchar char bigint integer smallint tinyint decimal double real boolean date time timestamp json uuid';
const ZONE_SUFFIX = ' with time zone';
export const TRINO_TYPES: ReadonlySet<string> = new Set([
  ...toWordSet(TYPE_WORDS),
  ...['timestamp', 'timestamp(6)', 'time'].map((name) => name + ZONE_SUFFIX),
]);
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  var_char: 'varchar',
  big_int: 'bigint',
  int: 'integer',
  small_int: 'smallint',
  tiny_int: 'tinyint',
};
/** Trino refuses larger integer literals. */
const MAX_INTEGER = 9_223_372_036_854_775_807n;

export const TRINO_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'trino',

  tokens: [
    BLOCK_COMMENT_TOKEN,
    LINE_COMMENT_TOKEN,
    ['string', /'(?:[^']|'')*'/y],
    ['identifier', /"(?:[^"]|"")+"/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    ...SYMBOL_TOKENS,
    ['symbol', /\|\||<=|>=|<>|!=|-(?!>)|\/(?!\*)|=(?!>)|[+*%<>.,;]/y],
  ],
  refused: [
    NESTED_COMMENT_REFUSAL,
    {
      pattern: /[#$]/y,
      code: 'construct',
      message: 'Write comments with /* */ or --. Hidden columns are not allowed.',
    },
    VARIABLE_REFUSAL,
    {
      pattern: /=>|->|[[\]{}]/y,
      code: 'operator',
      message: 'Lambdas, named arguments, arrays and row patterns are not allowed.',
    },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed, or a name is in backticks.' },
    MALFORMED_NUMBER_REFUSAL,
  ],
  spellings: [
    {
      type: 'number',
      pattern: /DECIMAL '(\d{19,38})'/y,
      text: (value) =>
        /^-?\d+$/.test(value) && BigInt(value.replace('-', '')) > MAX_INTEGER
          ? `${value.startsWith('-') ? '-' : ''}DECIMAL '${value.replace('-', '')}'`
          : null,
    },
  ],
  unquote: (_, sourceText) => removeQuotes(sourceText),
  refusalOf: () => null,
  stringTypeWords: toWordSet('date time timestamp interval'),

  keywords: toWordSet(
    `select distinct from where and or not in exists any all some as on using join inner outer cross natural full union
     except intersect order by group having limit offset fetch when then else case end over values with recursive between
     like escape is null interval cast try_cast extract lateral unnest table tablesample partition window filter within
     rollup cube grouping sets match_recognize row rows range groups array map json_table json_exists json_query json_value
     json_object json_array normalize for at only ties first next`,
  ),
  quotedOnly: toWordSet(
    `any all some table unnest lateral tablesample match_recognize row array map offset limit fetch filter within values
     natural using window union except intersect at for rollup cube grouping`,
  ),
  synonyms: { '!=': '<>', int: 'integer' },

  isFunction: (name) => TRINO_FUNCTIONS.has(name),
  bareCalls: toWordSet('current_date current_timestamp localtime localtimestamp'),

  binaryRules: [...BINARY_RULES, CONCAT_RULE, ...DISTINCT_FROM_RULES, TIME_ZONE_RULE],
  joins: { ...JOIN_RULES, ...FULL_JOIN_RULE, ...NATURAL_JOIN_RULES },
  frames: toWordSet('rows range groups'),
  features: new Set(['catalogs', 'filter', 'within group', 'try_cast']),
  offsetFirst: true,
  types:
    /^(?:(?:varchar|char)(?:\(\d{1,9}\))?|decimal(?:\(\d{1,2}(?:,\d{1,2})?\))?|(?:time|timestamp)(?:\(\d{1,2}\))?(?: with time zone)?|bigint|integer|smallint|tinyint|double|real|boolean|date|json|uuid)$/,
  ...createTypeRules(TRINO_TYPES, TYPE_ALIASES),

  quoteName: (name) => quoteText('"', name),
  quoteText: (text) => quoteText("'", text),
};
