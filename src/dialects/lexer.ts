// Finds what the parsers don't report: the depth of nesting, `:name` parameters and `/*!` comments. Knows the syntax of
// strings, quoted identifiers, dollar quotes and nested comments in PostgreSQL and DuckDB.

export interface Token {
  kind: 'string' | 'identifier' | 'comment' | 'word' | 'parameter' | 'positional' | 'open' | 'close' | 'symbol';
  start: number;
  end: number;
}

const WORD_PATTERN = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER_PATTERN = /\d[\d_.]*(?:[eE][+-]?\d+)?/y;
const DOLLAR_TAG_PATTERN = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const POSITIONAL_PATTERN = /\$[\p{L}\p{N}_]+/uy;
const PARAMETER_PATTERN = /:[A-Za-z_][A-Za-z0-9_]*/y;

function findMatchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function findQuotedEnd(text: string, position: number, quote: string, hasBackslashEscapes: boolean): number {
  for (let i = position + 1; i < text.length; i++) {
    if (hasBackslashEscapes && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return text.length;
}

function findCommentEnd(text: string, position: number): number {
  let depth = 0;
  for (let i = position; i < text.length; i++) {
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

function findLineEnd(text: string, position: number): number {
  const end = text.slice(position).search(/[\r\n]/);
  return end < 0 ? text.length : position + end;
}

type TokenRule = readonly [Token['kind'], (text: string, position: number) => number];

/** Each rule returns the end of its token, or -1 if it doesn't match. The first rule that matches applies. */
const TOKEN_RULES: readonly TokenRule[] = [
  ['string', (text, position) => (text[position] === "'" ? findQuotedEnd(text, position, "'", false) : -1)],
  [
    'string',
    (text, position) =>
      /^[eE]'/.test(text.slice(position, position + 2)) ? findQuotedEnd(text, position + 1, "'", true) : -1,
  ],
  ['identifier', (text, position) => (text[position] === '"' ? findQuotedEnd(text, position, '"', false) : -1)],
  ['comment', (text, position) => (text.startsWith('--', position) ? findLineEnd(text, position) : -1)],
  ['comment', (text, position) => (text.startsWith('/*', position) ? findCommentEnd(text, position) : -1)],
  ['string', findDollarQuotedEnd],
  ['positional', (text, position) => findMatchEnd(POSITIONAL_PATTERN, text, position)],
  [
    'symbol',
    (text, position) => (text.startsWith('::', position) || text.startsWith(':=', position) ? position + 2 : -1),
  ],
  ['parameter', (text, position) => findMatchEnd(PARAMETER_PATTERN, text, position)],
  ['word', (text, position) => findMatchEnd(WORD_PATTERN, text, position)],
  ['word', (text, position) => findMatchEnd(NUMBER_PATTERN, text, position)],
  ['open', (text, position) => ('([{'.includes(text[position]!) ? position + 1 : -1)],
  ['close', (text, position) => (')]}'.includes(text[position]!) ? position + 1 : -1)],
  ['symbol', (_, position) => position + 1],
];
const WORD_RULES = TOKEN_RULES.filter(([kind]) => kind === 'word');
/** A fast path for words, which are the most frequent tokens. A token that matches this pattern is always a word. */
const PLAIN_WORD_PATTERN = /[a-zA-Z](?!')/y;

function findDollarQuotedEnd(text: string, position: number): number {
  const end = findMatchEnd(DOLLAR_TAG_PATTERN, text, position);
  if (end < 0) return -1;
  const closeIndex = text.indexOf(text.slice(position, end), end);
  return closeIndex < 0 ? text.length : closeIndex + end - position;
}

export function* tokenize(text: string): Generator<Token> {
  let position = 0;
  while (position < text.length) {
    const start = position++;
    if (/\s/.test(text[start]!)) continue;
    for (const [kind, endOf] of findMatchEnd(PLAIN_WORD_PATTERN, text, start) < 0 ? TOKEN_RULES : WORD_RULES) {
      const end = endOf(text, start);
      if (end < 0) continue;
      position = Math.max(end, start + 1);
      yield { kind, start, end: position };
      break;
    }
  }
}

/** Returns the values of the strings in single quotes. */
export const listStringLiterals = (text: string): string[] =>
  [...tokenize(text)].flatMap(({ kind, start, end }) =>
    kind === 'string' && text[start] === "'" ? [text.slice(start + 1, end - 1).replaceAll("''", "'")] : [],
  );
