// The grammar of Snowflake's SQL. svc reads only the two unambiguous backslash escapes in strings. It refuses $, @, :
// and { at the start of a token, because they mark a variable, a stage, a path or an object.
import { swapCase } from '../../../dialects/fold-name.ts';
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
  refuseOtherEscapes,
  removeQuotes,
  removeQuotesAndEscapes,
  SYMBOL_TOKENS,
  toWordSet,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { SNOWFLAKE_FUNCTIONS } from './functions.ts';

export const SNOWFLAKE_TYPES = toWordSet(
  'varchar char string text number decimal int bigint float double real boolean date time timestamp timestamp_ntz timestamp_ltz timestamp_tz',
);
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  var_char: 'varchar',
  big_int: 'bigint',
  integer: 'int',
  'timestamp with time zone': 'timestamp_tz',
  timestamptz: 'timestamp_tz',
  timestampntz: 'timestamp_ntz',
  timestampltz: 'timestamp_ltz',
};

export const SNOWFLAKE_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'snowflake',

  tokens: [
    BLOCK_COMMENT_TOKEN,
    LINE_COMMENT_TOKEN,
    ['string', /'(?:[^'\\]|''|\\[\s\S])*'/y],
    ['identifier', /"(?:[^"]|"")+"/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    ...SYMBOL_TOKENS,
    ['symbol', /\|\||<=|>=|<>|!=|-(?!>)|\/(?![*/])|=(?!>)|\*(?!\*)|[+%<>.,;]/y],
  ],
  refused: [
    NESTED_COMMENT_REFUSAL,
    { pattern: /\/\//y, code: 'syntax', message: 'Write comments with /* */ or --, not with //.' },
    {
      pattern: /\$|[A-Za-z_]\w*\$/y,
      code: 'variable',
      message:
        'Variables ($x), columns by number ($1), strings in $$ and names with $ outside of quotes are not allowed.',
    },
    { pattern: /@/y, code: 'construct', message: 'Stages (@…) are not allowed.' },
    { pattern: /::/y, code: 'operator', message: 'Write cast(x as type) instead of x::type.' },
    {
      pattern: /=>|->|\*\*|[[\]{}:]/y,
      code: 'operator',
      message: 'Paths into values (x:y, x[0]), objects, arrays, lambdas, named arguments and ->> are not allowed.',
    },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed, or a name is in backticks.' },
    MALFORMED_NUMBER_REFUSAL,
  ],
  unquote: (kind, sourceText) => {
    if (kind === 'identifier') return swapCase(removeQuotes(sourceText));
    return removeQuotesAndEscapes(sourceText);
  },
  refusalOf: refuseOtherEscapes,
  stringTypeWords: toWordSet('date time timestamp'),

  keywords: toWordSet(
    `select distinct from where and or not in exists any all some as on using join inner outer cross natural full
     union except minus intersect order by group having qualify limit offset fetch top when then else case end over values with
     recursive between like ilike rlike regexp escape is null interval cast try_cast extract lateral table tablesample sample partition
     window within rollup cube grouping sets pivot unpivot match_recognize asof match_condition connect start prior at before
     changes row rows range groups into for only ties first next exclude rename`,
  ),
  quotedOnly: toWordSet(
    `any all some table lateral sample tablesample values into qualify limit offset fetch top window using natural minus
     union except intersect for pivot unpivot match_recognize asof connect start prior identifier result_scan
     within rollup cube grouping regexp rlike`,
  ),
  synonyms: {
    '!=': '<>',
    integer: 'int',
    timestampntz: 'timestamp_ntz',
    timestampltz: 'timestamp_ltz',
    timestamptz: 'timestamp_tz',
  },

  isFunction: (name) => SNOWFLAKE_FUNCTIONS.has(name),
  bareCalls: toWordSet('current_date current_timestamp current_time localtime localtimestamp'),
  unitFunctions: new Map(
    'dateadd datediff timestampadd timestampdiff date_trunc date_part'.split(' ').map((name) => [name, 0]),
  ),

  binaryRules: [...BINARY_RULES, CONCAT_RULE, ...DISTINCT_FROM_RULES],
  patterns: { like: { how: 'like', text: 'LIKE' }, i_like: { how: 'ilike', text: 'ILIKE' } },
  joins: { ...JOIN_RULES, ...FULL_JOIN_RULE, ...NATURAL_JOIN_RULES },
  saysDistinct: false,
  features: new Set(['catalogs', 'within group', 'try_cast', 'qualify', 'capitals', 'interval texts']),
  types:
    /^(?:(?:varchar|char|string|text)(?:\(\d{1,9}\))?|(?:number|decimal)(?:\(\d{1,2}(?:,\d{1,2})?\))?|(?:time|timestamp(?:_ntz|_ltz|_tz)?)(?:\(\d\))?|int|bigint|float|double|real|boolean|date)$/,
  ...createTypeRules(SNOWFLAKE_TYPES, TYPE_ALIASES),

  quoteName: (name) => quoteText('"', swapCase(name)),
  quoteText: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
};
