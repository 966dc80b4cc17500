// The grammar of T-SQL. svc writes strings with the prefix N, because characters outside the database's code page would
// otherwise become question marks.
import type { ForeignGrammar } from '../../../dialects/foreign/grammar.ts';
import {
  BINARY_RULES,
  BLOCK_COMMENT_TOKEN,
  COMMON_GRAMMAR,
  LINE_COMMENT_TOKEN,
  MALFORMED_NUMBER_REFUSAL,
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
import { SQLSERVER_FUNCTIONS } from './functions.ts';

export const SQLSERVER_TYPES = toWordSet(
  `nvarchar varchar nchar char int bigint smallint tinyint bit decimal money smallmoney float date time datetime datetime2
   datetimeoffset smalldatetime`,
);
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  var_char: 'varchar',
  big_int: 'bigint',
  integer: 'int',
  small_int: 'smallint',
  tiny_int: 'tinyint',
};
/** Words that need quotes as names, and words that start a new statement. */
const RESERVED_WORDS = toWordSet(
  `add all alter and any as asc authorization backup begin between break browse bulk by cascade case check checkpoint close
   clustered coalesce collate column commit compute constraint contains containstable continue convert create cross current
   current_date current_time current_timestamp current_user cursor database dbcc deallocate declare default delete deny desc disk
   distinct distributed double drop dump else end errlvl escape except exec execute exists exit external fetch file fillfactor
   for foreign freetext freetexttable from full function goto grant group having holdlock identity identity_insert identitycol if in
   index inner insert intersect into is join key kill left like lineno load merge national nocheck nonclustered not null nullif of
   off offsets on open opendatasource openquery openrowset openxml option or order outer over percent pivot plan precision
   primary print proc procedure public raiserror read readtext reconfigure references replication restore restrict return revert
   revoke right rollback rowcount rowguidcol rule save schema securityaudit select semantickeyphrasetable session_user set
   setuser shutdown some statistics system_user table tablesample textsize then to top tran transaction trigger truncate try_convert
   tsequal union unique unpivot update updatetext use user values varying view waitfor when where while with within writetext
   apply go limit natural offset qualify receive send throw using window lateral matched next only ties cube rollup sets grouping
   recursive nolock readuncommitted true false output`,
);
/**
 * Matches a backslash and the line break after it. SQL Server drops both characters, so svc writes each of them twice.
 */
const LINE_CONTINUATION_PATTERN = /\\\r?\n/g;

export const SQLSERVER_GRAMMAR: ForeignGrammar = {
  ...COMMON_GRAMMAR,
  parser: 'tsql',

  tokens: [
    BLOCK_COMMENT_TOKEN,
    LINE_COMMENT_TOKEN,
    ['string', /[Nn]?'(?:[^']|'')*'/y],
    ['identifier', /\[(?:[^\]]|\]\])+\]/y],
    ['identifier', /"(?:[^"]|"")+"/y],
    NUMBER_TOKEN,
    WORD_TOKEN,
    // Unquoted names can contain letters outside ASCII.
    ['identifier', /[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_$#@])/uy],
    ...SYMBOL_TOKENS,
    ['symbol', /<=|>=|<>|!=|-(?!-)|\/(?!\*)|\*(?!=)|=(?!\*)|[+%<>.,;]/y],
  ],
  refused: [
    NESTED_COMMENT_REFUSAL,
    VARIABLE_REFUSAL,
    {
      pattern: /[#$]|[\p{L}_][\p{L}\p{N}_]*[$#@]/uy,
      code: 'construct',
      message:
        'Temporary tables (#x), $partition, $identity, money ($1) and names with $, # or @ outside of quotes are not allowed.',
    },
    { pattern: /::|[{}:]/y, code: 'construct', message: 'Methods of types (x::y), labels and {…} are not allowed.' },
    {
      pattern: /[&|^~]|![<>]|\*=|=\*/y,
      code: 'operator',
      message: 'Bit operators, !<, !>, *= and =* are not allowed.',
    },
    { pattern: /['"`[\]]/y, code: 'syntax', message: 'A quote or a bracket is not closed.' },
    MALFORMED_NUMBER_REFUSAL,
  ],
  spellings: (['date', 'time', 'timestamp'] as const).map((type) => {
    const typeName = type === 'timestamp' ? 'datetime2' : type;
    return {
      type,
      pattern: new RegExp(`CAST\\('([^']*)' AS ${typeName}\\)`, 'y'),
      text: (value) => `CAST('${value}' AS ${typeName})`,
    };
  }),
  unquote: (kind, sourceText) => {
    if (kind === 'string') return removeQuotes(sourceText.replace(/^[Nn]/, '')).replace(LINE_CONTINUATION_PATTERN, '');
    if (sourceText.startsWith('[')) return sourceText.slice(1, -1).replaceAll(']]', ']');
    return sourceText.startsWith('"') ? removeQuotes(sourceText) : sourceText;
  },
  refusalOf: (sourceText, value) =>
    /\\[\r\n]/.test(sourceText) && quoteSqlserverText(value) !== sourceText
      ? {
          code: 'backslash',
          message:
            'SQL Server drops a backslash at the end of a line in a string. Write char(92) instead of the backslash.',
        }
      : null,
  stringTypeWords: toWordSet(''),

  keywords: toWordSet(
    `select distinct top percent ties from where and or not in exists all any some as on join inner outer cross full union
     except intersect order by group having offset fetch next first row rows only when then else case end over values with
     between like escape is null cast try_cast table tablesample partition within rollup cube grouping sets pivot unpivot for
     option into apply at time zone collate desc asc using natural lateral window`,
  ),
  quotedOnly: RESERVED_WORDS,
  synonyms: {
    '!=': '<>',
    integer: 'int',
    numeric: 'decimal',
    dec: 'decimal',
    count_big: 'count',
    row: 'rows',
    first: 'next',
  },

  foldFunction: (name) => {
    const foldedName = name.toLowerCase();
    return foldedName === 'count_big' ? 'count' : foldedName;
  },
  isFunction: (name) => SQLSERVER_FUNCTIONS.has(name),
  bareCalls: toWordSet('current_timestamp'),
  unitFunctions: new Map(
    'dateadd datediff datediff_big datepart datename datetrunc'.split(' ').map((name) => [name, 0]),
  ),
  // For WEEK and WEEKDAY, the first day of the week depends on the session.
  units: toWordSet('SECOND MINUTE HOUR DAY DAYOFYEAR WEEKDAY WEEK ISO_WEEK MONTH QUARTER YEAR'),

  binaryRules: [...BINARY_RULES, TIME_ZONE_RULE],
  namesSubqueries: true,
  saysDistinct: false,
  nullsOrder: false,
  features: new Set(['catalogs', 'within group', 'try_cast', 'top']),
  offsetFirst: true,
  collations: /^[A-Za-z0-9_]+_(?:BIN2?|C[IS]_A[IS]\w*)$/i,
  types:
    /^(?:n?varchar\((?:\d{1,4}|MAX)\)|n?char\(\d{1,4}\)|decimal\(\d{1,2}(?:,\d{1,2})?\)|(?:datetime2|datetimeoffset|time)(?:\(\d\))?|int|bigint|smallint|tinyint|bit|float|date|datetime|smalldatetime|money|smallmoney)$/,
  typesMessage: `Casts are allowed only to ${[...SQLSERVER_TYPES].join(', ')}. String and decimal types need a size, such as decimal(10, 2).`,
  foldType: (name) => TYPE_ALIASES[name.toLowerCase()] ?? name.toLowerCase(),

  // If QUOTED_IDENTIFIER were off, a statement with quoted table names would fail instead of returning wrong rows.
  quoteName: (name) => quoteText('"', name),
  quoteText: quoteSqlserverText,
};

function quoteSqlserverText(text: string): string {
  return `N${quoteText("'", text.replace(/\\(?=[\r\n])/g, '\\\\\n'))}`;
}
