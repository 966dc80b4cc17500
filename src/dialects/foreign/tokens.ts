// Splits a statement into tokens. Refuses SQL that another mode, version or engine would read differently.
import type { FaultCollector } from '../fault-collector.ts';
import type { ForeignGrammar, ForeignToken } from './grammar.ts';

/** Returns the tokens without comments. Reports an error where the next token is ambiguous. */
export function tokenizeForeign(grammar: ForeignGrammar, sql: string, faults: FaultCollector): ForeignToken[] {
  const foundTokens: ForeignToken[] = [];
  let position = 0;
  while (position < sql.length) {
    if (' \t\r\n'.includes(sql[position]!)) {
      position++;
      continue;
    }
    const plainTokens = tokenizeCastLiteral(grammar, sql, position);
    if (plainTokens.length > 0) {
      foundTokens.push(...plainTokens);
      position = plainTokens.at(-1)!.end;
      continue;
    }
    const token = readTokenAt(grammar, sql, position);
    if (!token) {
      const refusal = grammar.refused.find(({ pattern }) => findMatchAt(pattern, sql, position) !== null);
      const sign = String.fromCodePoint(sql.codePointAt(position)!);
      faults.add(refusal?.code ?? 'operator', refusal?.message ?? `The sign ${sign} is not allowed.`, {
        offset: position,
      });
      return foundTokens;
    }
    checkNeighbors(grammar, sql, token, foundTokens.at(-1), faults);
    if (token.kind === 'identifier' && grammar.features.has('paths in quotes'))
      foundTokens.push(...splitQuotedPath(token));
    else if (token.kind !== 'comment') foundTokens.push(token);
    position = token.end;
  }
  return foundTokens;
}

/** Splits a path in one pair of quotes, such as `a.b`, into names and dots. */
const splitQuotedPath = (token: ForeignToken): ForeignToken[] =>
  token.text.split('.').flatMap((text, index): ForeignToken[] => {
    const name = { ...token, text };
    return index === 0 ? [name] : [{ ...token, kind: 'symbol', text: '.' }, name];
  });

/** If the source has the cast of a literal at this position, returns the tokens of the plain literal. */
function tokenizeCastLiteral(grammar: ForeignGrammar, sql: string, start: number): ForeignToken[] {
  for (const { type, pattern, text } of grammar.spellings) {
    pattern.lastIndex = start;
    const [matchedText, value] = pattern.exec(sql) ?? [];
    if (matchedText === undefined || value === undefined || text(value) !== matchedText) continue;
    const end = start + matchedText.length;
    if (type === 'number') return [{ kind: 'number', start, end, text: value }];
    return [
      { kind: 'word', start, end: start, text: type },
      { kind: 'string', start, end, text: value },
    ];
  }
  return [];
}

function readTokenAt(grammar: ForeignGrammar, sql: string, position: number): ForeignToken | null {
  for (const [kind, pattern] of grammar.tokens) {
    const matchedText = findMatchAt(pattern, sql, position);
    if (matchedText === null) continue;
    const isQuoted = kind === 'string' || kind === 'identifier';
    return {
      kind,
      start: position,
      end: position + matchedText.length,
      text: isQuoted ? grammar.unquote(kind, matchedText) : matchedText,
    };
  }
  return null;
}

function findMatchAt(pattern: RegExp, sql: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(sql)?.[0] ?? null;
}

function checkNeighbors(
  grammar: ForeignGrammar,
  sql: string,
  token: ForeignToken,
  previous: ForeignToken | undefined,
  faults: FaultCollector,
): void {
  const offset = token.start;
  const isAdjacent = previous?.end === offset;
  if (token.kind === 'number' && isAdjacent && previous.kind !== 'symbol' && previous.kind !== 'open') {
    faults.add('syntax', `Put a space before ${token.text}.`, { offset });
  }
  if (token.kind !== 'string') return;
  const refusal = grammar.refusalOf(sql.slice(offset, token.end), token.text);
  if (refusal) faults.add(refusal.code, refusal.message, { offset });
  if (previous?.kind === 'string') {
    faults.add('syntax', 'Two strings next to each other are not allowed. Write concat(…).', { offset });
  }
  if (isAdjacent && previous.kind === 'word' && !grammar.stringTypeWords.has(previous.text.toLowerCase())) {
    faults.add('syntax', `A string directly after ${previous.text} is not allowed.`, { offset });
  }
}

export const isWord = (token: ForeignToken | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toLowerCase() === word;

export const isSymbol = (token: ForeignToken | undefined, sign: string): boolean =>
  token?.kind === 'symbol' && token.text === sign;

/** Returns true if the token can end an operand, so that the next token can be an operator. */
export const canEndOperand = ({ keywords }: ForeignGrammar, token: ForeignToken): boolean =>
  token.kind === 'word'
    ? !keywords.has(token.text.toLowerCase()) || isWord(token, 'end')
    : !['symbol', 'open'].includes(token.kind);
