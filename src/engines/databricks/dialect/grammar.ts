// The grammar of Databricks SQL. svc refuses strings that versions of Databricks read differently.
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  COMMON_GRAMMAR,
  CONCAT_RULE,
  createComparisonRule,
  createLeftAssociativeRule,
  createTypeRules,
  FULL_JOIN_RULE,
  JOIN_RULES,
  LINE_COMMENT_TOKEN,
  MALFORMED_NUMBER_REFUSAL,
  NATURAL_JOIN_RULES,
  NUMBER_TOKEN,
  PRECEDENCE,
  quoteText,
  removeQuotes,
  SYMBOL_TOKENS,
  toWordSet,
  VARIABLE_REFUSAL,
  WORD_TOKEN,
} from '../../../dialects/foreign/rules.ts';
import { DATABRICKS_FUNCTIONS } from './functions.ts';

export const DATABRICKS_TYPES = toWordSet(
  'string varchar char bigint int smallint tinyint decimal double float boolean date timestamp timestamp_ntz',
);
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  var_char: 'varchar',
  big_int: 'bigint',
  integer: 'int',
  small_int: 'smallint',
  tiny_int: 'tinyint',
  text: 'string',
  real: 'float',
  timestampntz: 'timestamp_ntz',
};

export const DATABRICKS_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'databricks',

  tokens: [
    ['comment', /\/\*(?!\+)(?:(?!\/\*|\*\/)[\s\S])*\*\//y],
    LINE_COMMENT_TOKEN,
    ['string', /'(?:[^'\\]|''|\\[\s\S])*'/y],
    ['string', /"(?:[^"\\]|\\[\s\S])*"/y],
    ['identifier', /`(?:[^`]|``)+`/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    ...SYMBOL_TOKENS,
    ['symbol', /\|\|(?!>)|==|<=>|<=|>=|<>|!=|-(?!>)|\/(?!\*)|=(?!>)|[+*%<>.,;]/y],
  ],
  refused: [
    { pattern: /\/\*/y, code: 'syntax', message: 'A comment is nested, not closed, or a hint.' },
    {
      pattern: /[#$]/y,
      code: 'construct',
      message: 'Write comments with /* */ or --. Substitutions (with $) are not allowed.',
    },
    VARIABLE_REFUSAL,
    {
      pattern: /::|=>|->|\|>|:|[[\]{}]/y,
      code: 'operator',
      message: 'Casts with ::, paths with :, lambdas, named arguments, arrays and pipes are not allowed.',
    },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed.' },
    MALFORMED_NUMBER_REFUSAL,
  ],
  unquote: (kind, sourceText) => {
    if (kind === 'identifier') return removeQuotes(sourceText);
    const quotedText = sourceText.slice(1, -1);
    return quotedText.replace(
      sourceText[0] === "'" ? /''|\\([\s\S])/g : /\\([\s\S])/g,
      (_, sign?: string) => sign ?? "'",
    );
  },
  refusalOf: (sourceText) =>
    /\\[^\\'"]/.test(sourceText.replaceAll('\\\\', ''))
      ? { code: 'backslash', message: 'Only \\\\, \\\' and \\" may be escaped in a string.' }
      : null,
  stringTypeWords: toWordSet('date timestamp interval'),

  keywords: toWordSet(
    `select distinct from where and or not in exists any all some as on using join inner outer cross natural full
     semi anti union except minus intersect order by group having limit offset when then else case end over values with
     recursive between like ilike rlike regexp is null div interval cast try_cast extract lateral view table tablesample
     partition window filter within rollup cube grouping sets pivot unpivot qualify distribute sort cluster transform stream
     rows range map array struct version timestamp_as nulls date timestamp`,
  ),
  quotedOnly: toWordSet(
    `any all some table lateral view tablesample array map struct stream offset limit filter within values natural using
     window union except minus intersect semi anti pivot unpivot qualify distribute sort cluster rollup cube grouping
     transform`,
  ),
  synonyms: { '!=': '<>', '==': '=', integer: 'int' },

  isFunction: (name) => DATABRICKS_FUNCTIONS.has(name),
  bareCalls: toWordSet('current_date current_timestamp'),
  unitFunctions: new Map(['dateadd', 'date_diff'].map((name) => [name, 0])),

  binaryRules: [
    ...BINARY_RULES,
    CONCAT_RULE,
    createComparisonRule('null_safe_eq', 'is not distinct from', '<=>'),
    createComparisonRule('null_safe_neq', 'is distinct from', 'IS DISTINCT FROM'),
    createLeftAssociativeRule('arithmetic', PRECEDENCE.multiply, 'int_div', '//', 'DIV'),
  ],
  patterns: {
    like: { how: 'like', text: 'LIKE' },
    i_like: { how: 'ilike', text: 'ILIKE' },
    regexp_like: { how: 'regexp', text: 'RLIKE' },
  },
  joins: { ...JOIN_RULES, ...FULL_JOIN_RULE, ...NATURAL_JOIN_RULES },
  features: new Set(['catalogs', 'filter', 'try_cast', 'is true', 'computed intervals']),
  types:
    /^(?:(?:varchar|char)\(\d{1,5}\)|decimal(?:\(\d{1,2}(?:,\d{1,2})?\))?|string|bigint|int|smallint|tinyint|double|float|boolean|date|timestamp|timestamp_ntz)$/,
  ...createTypeRules(DATABRICKS_TYPES, TYPE_ALIASES),

  quoteName: (name) => quoteText('`', name),
  quoteText: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
};
