// The words of MySQL and MariaDB exactly as a session reads them whose sql_mode holds NO_BACKSLASH_ESCAPES and neither
// ANSI_QUOTES nor IGNORE_SPACE. What another mode, version or engine would read otherwise is refused, never guessed (G16).
import type { Faults } from '../../dialects/faults.ts';

export interface MysqlToken {
  kind:
    | 'word'
    | 'number'
    | 'string'
    | 'identifier'
    | 'open'
    | 'close'
    | 'symbol'
    | 'parameter'
    | 'positional'
    | 'comment';
  start: number;
  end: number;
  /** The value of a string, the name in backticks, otherwise the text. */
  text: string;
}

const PATTERNS: readonly (readonly [MysqlToken['kind'], RegExp])[] = [
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
];
const REASONS: readonly (readonly [RegExp, string, string])[] = [
  [
    /\/\*/y,
    'executable_comment',
    'A comment that is nested, unclosed, or begins with /*!, /*M! or /*+ is not allowed.',
  ],
  [/--/y, 'construct', 'Put a space between two minus signs, or after the -- of a comment.'],
  [/#/y, 'construct', 'Write comments with /* */ or with -- and a space.'],
  [/@/y, 'variable', 'Variables (@x, @@x) are not allowed.'],
  [/\|\|/y, 'operator', 'The operator || is read as OR by some servers; write OR or concat(…).'],
  [/&&|!/y, 'operator', 'Write AND, OR and NOT as words.'],
  [/->/y, 'operator', 'Write json_extract(…) instead of ->.'],
  [/:=/y, 'variable', 'Variables (:=) are not allowed.'],
  [/['"`]/y, 'syntax', 'A quote is not closed.'],
  [/[.\d]/y, 'syntax', 'A number or a name that begins with a digit is written in a way that is not allowed.'],
];

/** Comments are left out. Adds faults for whatever is not plainly one token. */
export function mysqlTokens(sql: string, faults: Faults): MysqlToken[] {
  const found: MysqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    if (' \t\r\n'.includes(sql[at]!)) {
      at++;
      continue;
    }
    const token = tokenAt(sql, at);
    if (!token) {
      const [, code, message] = REASONS.find(([pattern]) => matchAt(pattern, sql, at) !== null) ?? [];
      const sign = String.fromCodePoint(sql.codePointAt(at)!);
      faults.add(code ?? 'operator', message ?? `The sign ${sign} is not allowed.`, { offset: at });
      return found;
    }
    checkNeighbours(sql, token, found.at(-1), faults);
    if (token.kind !== 'comment') found.push(token);
    at = token.end;
  }
  return found;
}

function tokenAt(sql: string, at: number): MysqlToken | null {
  for (const [kind, pattern] of PATTERNS) {
    const written = matchAt(pattern, sql, at);
    if (written !== null) return { kind, start: at, end: at + written.length, text: valueOfToken(kind, written) };
  }
  return null;
}

function matchAt(pattern: RegExp, sql: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0] ?? null;
}

function valueOfToken(kind: MysqlToken['kind'], written: string): string {
  const quote = written[0]!;
  if (kind === 'string' && quote === '_') return Buffer.from(written.slice(11, -1), 'hex').toString('utf8');
  const quoted = kind === 'string' || (kind === 'identifier' && quote === '`');
  return quoted ? written.slice(1, -1).replaceAll(quote + quote, quote) : written;
}

function checkNeighbours(sql: string, token: MysqlToken, before: MysqlToken | undefined, faults: Faults): void {
  const offset = token.start;
  const glued = before?.end === offset;
  if (token.kind === 'number' && glued && before.kind !== 'symbol' && before.kind !== 'open') {
    faults.add('syntax', `Put a space before ${token.text}.`, { offset });
  }
  if (token.kind !== 'string') return;
  if (sql[offset] !== '_' && token.text.includes('\\')) {
    faults.add('backslash', 'A string with a backslash is read in two ways; write char(92) for it.', { offset });
  }
  if (before?.kind === 'string') {
    faults.add('syntax', 'Two strings side by side are not allowed; write concat(…).', { offset });
  }
  if (glued && before.kind === 'word' && !/^(?:date|time|timestamp)$/i.test(before.text)) {
    faults.add('syntax', `A string straight after ${before.text} is not allowed.`, { offset });
  }
}
