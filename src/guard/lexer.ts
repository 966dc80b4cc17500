// A small lexer for what a parser can't tell us: nesting before parsing, `:name` parameters, `/*!` comments.
// It knows strings, quoted identifiers, dollar quotes and (nested) comments of Postgres and DuckDB.

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

export function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const start = at;
    const token = (kind: Token['kind'], end: number): Token => {
      at = Math.max(end, start + 1);
      return { kind, start, end: at };
    };
    const char = text[at]!;
    if (/\s/.test(char)) {
      at++;
      continue;
    }
    let end: number;
    if (char === "'") yield token('string', quotedEnd(text, at, "'", false));
    else if ((char === 'e' || char === 'E') && text[at + 1] === "'")
      yield token('string', quotedEnd(text, at + 1, "'", true));
    else if (char === '"') yield token('identifier', quotedEnd(text, at, '"', false));
    else if (text.startsWith('--', at)) yield token('comment', lineEnd(text, at));
    else if (text.startsWith('/*', at)) yield token('comment', commentEnd(text, at));
    else if (char === '$' && (end = match(DOLLAR_TAG, text, at)) > 0) {
      const close = text.indexOf(text.slice(at, end), end);
      yield token('string', close < 0 ? text.length : close + end - at);
    } else if (char === '$' && (end = match(POSITIONAL, text, at)) > 0) yield token('positional', end);
    else if (text.startsWith('::', at) || text.startsWith(':=', at)) yield token('symbol', at + 2);
    else if (char === ':' && (end = match(PARAMETER, text, at)) > 0) yield token('parameter', end);
    else if ((end = match(WORD, text, at)) > 0) yield token('word', end);
    else if ((end = match(NUMBER, text, at)) > 0) yield token('word', end);
    else if (char === '(' || char === '[' || char === '{') yield token('open', at + 1);
    else if (char === ')' || char === ']' || char === '}') yield token('close', at + 1);
    else yield token('symbol', at + 1);
  }
}
