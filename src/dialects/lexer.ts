// A small lexer for what parsers don't report: nesting before parsing, `:name` parameters and `/*!` comments.
// It knows the strings, quoted identifiers, dollar quotes and nested comments of PostgreSQL and DuckDB.

export interface Token {
  kind: 'string' | 'identifier' | 'comment' | 'word' | 'parameter' | 'positional' | 'open' | 'close' | 'symbol';
  start: number;
  end: number;
}

const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\d_.]*(?:[eE][+-]?\d+)?/y;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const POSITIONAL = /\$[\p{L}\p{N}_]+/uy;
const PARAMETER = /:[A-Za-z_][A-Za-z0-9_]*/y;

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function quotedEnd(text: string, at: number, quote: string, backslashes: boolean): number {
  for (let i = at + 1; i < text.length; i++) {
    if (backslashes && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return text.length;
}

function commentEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text.startsWith('/*', i)) {
      depth++;
      i++;
    } else if (text.startsWith('*/', i)) {
      depth--;
      i++;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.slice(at).search(/[\r\n]/);
  return end < 0 ? text.length : at + end;
}

type Rule = readonly [Token['kind'], (text: string, at: number) => number];

/** The first matching rule wins; -1 means no match. */
const RULES: readonly Rule[] = [
  ['string', (text, at) => (text[at] === "'" ? quotedEnd(text, at, "'", false) : -1)],
  ['string', (text, at) => (/^[eE]'/.test(text.slice(at, at + 2)) ? quotedEnd(text, at + 1, "'", true) : -1)],
  ['identifier', (text, at) => (text[at] === '"' ? quotedEnd(text, at, '"', false) : -1)],
  ['comment', (text, at) => (text.startsWith('--', at) ? lineEnd(text, at) : -1)],
  ['comment', (text, at) => (text.startsWith('/*', at) ? commentEnd(text, at) : -1)],
  ['string', dollarQuotedEnd],
  ['positional', (text, at) => match(POSITIONAL, text, at)],
  ['symbol', (text, at) => (text.startsWith('::', at) || text.startsWith(':=', at) ? at + 2 : -1)],
  ['parameter', (text, at) => match(PARAMETER, text, at)],
  ['word', (text, at) => match(WORD, text, at)],
  ['word', (text, at) => match(NUMBER, text, at)],
  ['open', (text, at) => ('([{'.includes(text[at]!) ? at + 1 : -1)],
  ['close', (text, at) => (')]}'.includes(text[at]!) ? at + 1 : -1)],
  ['symbol', (_, at) => at + 1],
];
const WORDS = RULES.filter(([kind]) => kind === 'word');
/** A fast path for most tokens: text that starts like this is always a word. */
const PLAIN_WORD = /[a-zA-Z](?!')/y;

function dollarQuotedEnd(text: string, at: number): number {
  const end = match(DOLLAR_TAG, text, at);
  if (end < 0) return -1;
  const close = text.indexOf(text.slice(at, end), end);
  return close < 0 ? text.length : close + end - at;
}

export function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const start = at++;
    if (/\s/.test(text[start]!)) continue;
    for (const [kind, endOf] of match(PLAIN_WORD, text, start) < 0 ? RULES : WORDS) {
      const end = endOf(text, start);
      if (end < 0) continue;
      at = Math.max(end, start + 1);
      yield { kind, start, end: at };
      break;
    }
  }
}

/** Values of the constants in single quotes. */
export const plainTexts = (text: string): string[] =>
  [...tokens(text)].flatMap(({ kind, start, end }) =>
    kind === 'string' && text[start] === "'" ? [text.slice(start + 1, end - 1).replaceAll("''", "'")] : [],
  );
