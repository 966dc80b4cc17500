// MySQL and MariaDB as a session reads them whose sql_mode holds NO_BACKSLASH_ESCAPES and neither ANSI_QUOTES nor
// IGNORE_SPACE.
import type { BinaryRule, ForeignGrammar } from '../foreign/grammar.ts';
import { MYSQL_FUNCTIONS } from './functions.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const HEX = "_utf8mb4 x'";

const LEVELS = {
  or: 10,
  and: 20,
  not: 30,
  comparison: 40,
  compared: 50,
  add: 60,
  multiply: 70,
  pattern: 80,
  sign: 80,
  collate: 90,
  primary: 100,
};

/** Of several in a row the left one comes first. */
const leftward =
  (kind: BinaryRule['kind'], level: number) =>
  (native: string, operator: string, text = operator): BinaryRule => ({
    native,
    kind,
    operator,
    text,
    level,
    left: level,
    right: level + 1,
  });
const comparison = (native: string, operator: string, text = operator): BinaryRule => ({
  native,
  kind: 'compare',
  operator,
  text,
  level: LEVELS.comparison,
  left: LEVELS.compared,
  right: LEVELS.compared,
});
const adding = leftward('arithmetic', LEVELS.add);
const multiplying = leftward('arithmetic', LEVELS.multiply);

export const MYSQL_GRAMMAR: ForeignGrammar = {
  parser: 'mysql',

  tokens: [
    ['comment', /\/\*(?!!|\+|M!)(?:(?!\/\*|\*\/)[\s\S])*\*\//y],
    ['comment', /--(?=\s|$)[^\r\n]*/y],
    // The one spelling of a string that holds a backslash: its bytes.
    ['string', /_utf8mb4 x'(?:[0-9A-F]{2})*'/y],
    ['string', /'(?:[^']|'')*'/y],
    ['string', /"(?:[^"]|"")*"/y],
    ['identifier', /`(?:[^`]|``)+`/y],
    ['number', /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.])/uy],
    ['word', /[A-Za-z_][A-Za-z0-9_]*(?![\p{L}\p{N}_$])/uy],
    // Letters that not every parser takes for a word.
    ['identifier', /[\p{L}_][\p{L}\p{N}_$]*/uy],
    ['parameter', /:[A-Za-z_][A-Za-z0-9_]*/y],
    ['positional', /\?/y],
    ['open', /\(/y],
    ['close', /\)/y],
    ['symbol', /<=>|<=|>=|<>|!=|-(?!-)|\/(?!\*)|[+*%=<>.,;]/y],
  ],
  refused: [
    {
      pattern: /\/\*/y,
      code: 'executable_comment',
      message: 'A comment that is nested, unclosed, or begins with /*!, /*M! or /*+ is not allowed.',
    },
    {
      pattern: /--/y,
      code: 'construct',
      message: 'Put a space between two minus signs, or after the -- of a comment.',
    },
    { pattern: /#/y, code: 'construct', message: 'Write comments with /* */ or with -- and a space.' },
    { pattern: /@/y, code: 'variable', message: 'Variables (@x, @@x) are not allowed.' },
    {
      pattern: /\|\|/y,
      code: 'operator',
      message: 'The operator || is read as OR by some servers; write OR or concat(…).',
    },
    { pattern: /&&|!/y, code: 'operator', message: 'Write AND, OR and NOT as words.' },
    { pattern: /->/y, code: 'operator', message: 'Write json_extract(…) instead of ->.' },
    { pattern: /:=/y, code: 'variable', message: 'Variables (:=) are not allowed.' },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed.' },
    {
      pattern: /[.\d]/y,
      code: 'syntax',
      message: 'A number or a name that begins with a digit is written in a way that is not allowed.',
    },
  ],
  spelled: [],
  unquoted: (kind, written) => {
    const quote = written[0]!;
    if (written.startsWith(HEX)) return Buffer.from(written.slice(HEX.length, -1), 'hex').toString('utf8');
    const quoted = kind === 'string' || quote === '`';
    return quoted ? written.slice(1, -1).replaceAll(quote + quote, quote) : written;
  },
  doubtful: (written, value) =>
    !written.startsWith('_') && value.includes('\\')
      ? { code: 'backslash', message: 'A string with a backslash is read in two ways; write char(92) for it.' }
      : null,
  typedStrings: words('date time timestamp'),
  stringAliases: true,

  keywords: words(
    `select distinct from where and or not xor in exists all any some as on using join inner outer cross natural union
     except intersect order by group having limit offset when then else case end over values with recursive between like
     rlike regexp is div interval cast convert extract group_concat lateral partition window separator escape collate
     binary row return decimal numeric varchar datetime signed unsigned double float`,
  ),
  quotedOnly: new Set(),
  silent: words('as inner outer asc'),
  synonyms: { '!=': '<>', rlike: 'regexp' },
  operatorWords: { mod: '%' },

  foldFunction: (name) => name.toLowerCase(),
  isFunction: (name) => MYSQL_FUNCTIONS.has(name),
  widens: { calls: new Map(), operators: new Map() },
  bareCalls: words(
    'current_date current_time current_timestamp localtime localtimestamp utc_date utc_time utc_timestamp',
  ),
  unitFunctions: words('timestampdiff timestampadd'),
  units: words('MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'),

  binary: [
    leftward('logic', LEVELS.or)('or', 'or', 'OR'),
    leftward('logic', LEVELS.and)('and', 'and', 'AND'),
    comparison('eq', '='),
    comparison('neq', '<>'),
    comparison('lt', '<'),
    comparison('lte', '<='),
    comparison('gt', '>'),
    comparison('gte', '>='),
    comparison('null_safe_eq', 'is not distinct from', '<=>'),
    adding('add', '+'),
    adding('sub', '-'),
    multiplying('mul', '*'),
    multiplying('div', '/'),
    multiplying('int_div', '//', 'DIV'),
    multiplying('mod', '%'),
  ],
  levels: LEVELS,
  patterns: { like: { how: 'like', text: 'LIKE' }, regexp_like: { how: 'regexp', text: 'REGEXP' } },
  joins: {
    Inner: { how: 'inner', natural: false, text: 'JOIN' },
    Left: { how: 'left', natural: false, text: 'LEFT JOIN' },
    Right: { how: 'right', natural: false, text: 'RIGHT JOIN' },
    Cross: { how: 'cross', natural: false, text: 'CROSS JOIN' },
    Natural: { how: 'inner', natural: true, text: 'NATURAL JOIN' },
    NaturalLeft: { how: 'left', natural: true, text: 'NATURAL LEFT JOIN' },
  },
  chained: words('union'),
  namesSubqueries: true,
  endsOfSets: true,
  saysDistinct: false,
  nullsOrder: false,
  frames: words('rows range'),
  collations: /^(?:utf8mb[34]_\w+|binary)$/,
  types: /^(?:signed|unsigned|char|date|time|datetime|decimal|double|float)(?:\(\d{1,3}(?:,\d{1,2})?\))?$/,
  typesMessage: 'A cast must be to signed, unsigned, decimal, double, char, date, datetime or time.',
  foldType: (name) => name.toLowerCase(),

  quoteName: (name) => `\`${name.replaceAll('`', '``')}\``,
  // A session reads a backslash by its sql_mode; bytes mean the same in every mode.
  quoteText: (text) =>
    text.includes('\\')
      ? `${HEX}${Buffer.from(text, 'utf8').toString('hex').toUpperCase()}'`
      : `'${text.replaceAll("'", "''")}'`,
};
