// ClickHouse as the foreign reader needs it: nothing but data.
import type { BinaryRule, ForeignGrammar } from '../../../src/dialects/foreign/grammar.ts';
import { CLICKHOUSE_FUNCTIONS } from './functions.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const LEVELS = {
  or: 10,
  and: 20,
  not: 30,
  comparison: 40,
  compared: 50,
  concat: 55,
  add: 60,
  multiply: 70,
  pattern: 50,
  sign: 80,
  collate: 90,
  primary: 100,
};
const leftward = (
  kind: BinaryRule['kind'],
  level: number,
  native: string,
  operator: string,
  text = operator,
): BinaryRule => ({ native, kind, operator, text, level, left: level, right: level + 1 });
const comparison = (native: string, operator: string, text = operator): BinaryRule => ({
  ...leftward('compare', LEVELS.comparison, native, operator, text),
  left: LEVELS.compared,
});

const TYPES =
  'String Bool Date DateTime Float32 Float64 Decimal Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64'.split(' ');
/** Only functions of the standard are compared without case. */
const STANDARD = words('count sum min max avg coalesce nullif lower upper abs round greatest least');

export const CLICKHOUSE_GRAMMAR: ForeignGrammar = {
  parser: 'clickhouse',

  tokens: [
    ['comment', /\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\//y],
    ['comment', /--(?=\s|$)[^\r\n]*/y],
    ['string', /'(?:[^'\\]|''|\\[\s\S])*'/y],
    ['identifier', /`(?:[^`\\]|``)+`/y],
    ['identifier', /"(?:[^"\\]|"")+"/y],
    ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.])/uy],
    ['word', /[A-Za-z_][A-Za-z0-9_]*(?![\p{L}\p{N}_$])/uy],
    ['parameter', /:[A-Za-z_][A-Za-z0-9_]*/y],
    ['positional', /\?/y],
    ['open', /\(/y],
    ['close', /\)/y],
    ['symbol', /\|\||==|<=|>=|<>|!=|-(?![->])|\/(?!\*)|[+*%=<>.,;]/y],
  ],
  refused: [
    { pattern: /\/\*/y, code: 'syntax', message: 'A comment is nested or not closed.' },
    {
      pattern: /--/y,
      code: 'construct',
      message: 'Put a space between two minus signs, or after the -- of a comment.',
    },
    { pattern: /[#$]/y, code: 'construct', message: 'Write comments with /* */ and strings with quotes.' },
    { pattern: /::|->|[[\]{}]/y, code: 'operator', message: 'Casts by ::, lambdas, arrays and maps are not allowed.' },
    { pattern: /['"`]/y, code: 'syntax', message: 'A quote is not closed, or a quoted name holds a backslash.' },
  ],
  unquoted: (kind, written) => {
    const quote = written[0]!;
    if (kind === 'identifier') return written.slice(1, -1).replaceAll(quote + quote, quote);
    return written.slice(1, -1).replace(/''|\\([\s\S])/g, (_, escaped?: string) => escaped ?? "'");
  },
  doubtful: (written) =>
    /\\[^\\']/.test(written.replaceAll('\\\\', ''))
      ? { code: 'backslash', message: "Only \\\\ and \\' may be escaped in a string." }
      : null,
  typedStrings: new Set(),
  stringAliases: false,

  keywords: words(
    `select distinct from where prewhere sample array and or not in exists any all some as on using join inner outer cross
     left right full semi anti asof global union except intersect order by group having limit offset when then else case end
     over values with recursive between like ilike is div mod interval cast extract lateral partition window escape collate
     settings format final qualify nulls`,
  ),
  silent: words('as inner outer asc'),
  synonyms: { '!=': '<>', '==': '=' },
  operatorWords: {},

  foldFunction: (name) => (STANDARD.has(name.toLowerCase()) ? name.toLowerCase() : name),
  isFunction: (name) => CLICKHOUSE_FUNCTIONS.has(name),
  bareCalls: new Set(),
  unitFunctions: new Set(),
  units: words('SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'),

  binary: [
    leftward('logic', LEVELS.or, 'or', 'or', 'OR'),
    leftward('logic', LEVELS.and, 'and', 'and', 'AND'),
    comparison('eq', '='),
    comparison('neq', '<>'),
    comparison('lt', '<'),
    comparison('lte', '<='),
    comparison('gt', '>'),
    comparison('gte', '>='),
    leftward('operation', LEVELS.concat, 'concat', '||'),
    leftward('arithmetic', LEVELS.add, 'add', '+'),
    leftward('arithmetic', LEVELS.add, 'sub', '-'),
    leftward('arithmetic', LEVELS.multiply, 'mul', '*'),
    leftward('arithmetic', LEVELS.multiply, 'div', '/'),
    leftward('arithmetic', LEVELS.multiply, 'mod', '%'),
  ],
  levels: LEVELS,
  patterns: { like: { how: 'like', text: 'LIKE' }, i_like: { how: 'ilike', text: 'ILIKE' } },
  joins: {
    Inner: { how: 'inner', natural: false, text: 'JOIN' },
    Left: { how: 'left', natural: false, text: 'LEFT JOIN' },
    Right: { how: 'right', natural: false, text: 'RIGHT JOIN' },
    Full: { how: 'full', natural: false, text: 'FULL JOIN' },
    Cross: { how: 'cross', natural: false, text: 'CROSS JOIN' },
  },
  chained: words('union'),
  namesSubqueries: false,
  // UNION alone is what a setting says.
  saysDistinct: true,
  nullsOrder: true,
  frames: words('rows range'),
  collations: /(?!)/,
  types: new RegExp(`^(?:${TYPES.join('|')})(?:\\(\\d{1,2},\\d{1,2}\\))?$`),
  typesMessage: `A cast must be to one of ${TYPES.join(', ')}.`,
  foldType: (name) => TYPES.find((type) => type.toLowerCase() === name.toLowerCase()) ?? name,

  quoteName: (name) => `\`${name.replaceAll('`', '``')}\``,
  quoteText: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
};
