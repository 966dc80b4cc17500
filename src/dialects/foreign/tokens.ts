// Splits a statement into tokens. Refuses SQL that another mode, version or engine would read differently (G16).
import type { Faults } from '../faults.ts';
import type { ForeignGrammar, ForeignToken } from './grammar.ts';

/** Tokens without comments. Adds a fault where the next token is unclear. */
export function foreignTokens(grammar: ForeignGrammar, sql: string, faults: Faults): ForeignToken[] {
  const found: ForeignToken[] = [];
  let position = 0;
  while (position < sql.length) {
    if (' \t\r\n'.includes(sql[position]!)) {
      position++;
      continue;
    }
    const constant = plainTokensAt(grammar, sql, position);
    if (constant.length > 0) {
      found.push(...constant);
      position = constant.at(-1)!.end;
      continue;
    }
    const token = tokenAt(grammar, sql, position);
    if (!token) {
      const why = grammar.refused.find(({ pattern }) => matchAt(pattern, sql, position) !== null);
      const sign = String.fromCodePoint(sql.codePointAt(position)!);
      faults.add(why?.code ?? 'operator', why?.message ?? `The sign ${sign} is not allowed.`, { offset: position });
      return found;
    }
    checkNeighbours(grammar, sql, token, found.at(-1), faults);
    if (token.kind === 'identifier' && grammar.knows.has('paths in quotes')) found.push(...splitQuotedPath(token));
    else if (token.kind !== 'comment') found.push(token);
    position = token.end;
  }
  return found;
}

/** Splits `a.b` in one pair of quotes into a name, a dot and a name. */
const splitQuotedPath = (token: ForeignToken): ForeignToken[] =>
  token.text.split('.').flatMap((text, index): ForeignToken[] => {
    const name = { ...token, text };
    return index === 0 ? [name] : [{ ...token, kind: 'symbol', text: '.' }, name];
  });

/** The tokens of a plain literal where the source has its cast. */
function plainTokensAt(grammar: ForeignGrammar, sql: string, start: number): ForeignToken[] {
  for (const { type, pattern, text } of grammar.spelled) {
    pattern.lastIndex = start;
    const [written, value] = pattern.exec(sql) ?? [];
    if (written === undefined || value === undefined || text(value) !== written) continue;
    const end = start + written.length;
    if (type === 'number') return [{ kind: 'number', start, end, text: value }];
    return [
      { kind: 'word', start, end: start, text: type },
      { kind: 'string', start, end, text: value },
    ];
  }
  return [];
}

function tokenAt(grammar: ForeignGrammar, sql: string, position: number): ForeignToken | null {
  for (const [kind, pattern] of grammar.tokens) {
    const written = matchAt(pattern, sql, position);
    if (written === null) continue;
    const quoted = kind === 'string' || kind === 'identifier';
    return {
      kind,
      start: position,
      end: position + written.length,
      text: quoted ? grammar.unquoted(kind, written) : written,
    };
  }
  return null;
}

function matchAt(pattern: RegExp, sql: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(sql)?.[0] ?? null;
}

function checkNeighbours(
  grammar: ForeignGrammar,
  sql: string,
  token: ForeignToken,
  before: ForeignToken | undefined,
  faults: Faults,
): void {
  const offset = token.start;
  const isAdjacent = before?.end === offset;
  if (token.kind === 'number' && isAdjacent && before.kind !== 'symbol' && before.kind !== 'open') {
    faults.add('syntax', `Put a space before ${token.text}.`, { offset });
  }
  if (token.kind !== 'string') return;
  const doubt = grammar.doubtful(sql.slice(offset, token.end), token.text);
  if (doubt) faults.add(doubt.code, doubt.message, { offset });
  if (before?.kind === 'string') {
    faults.add('syntax', 'Two strings side by side are not allowed; write concat(…).', { offset });
  }
  if (isAdjacent && before.kind === 'word' && !grammar.typedStrings.has(before.text.toLowerCase())) {
    faults.add('syntax', `A string straight after ${before.text} is not allowed.`, { offset });
  }
}

export const isWord = (token: ForeignToken | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toLowerCase() === word;

export const isSign = (token: ForeignToken | undefined, sign: string): boolean =>
  token?.kind === 'symbol' && token.text === sign;

/** True if the token can end an operand, so that the next token can be an operator. */
export const endsOperand = ({ keywords }: ForeignGrammar, token: ForeignToken): boolean =>
  token.kind === 'word'
    ? !keywords.has(token.text.toLowerCase()) || isWord(token, 'end')
    : !['symbol', 'open'].includes(token.kind);
