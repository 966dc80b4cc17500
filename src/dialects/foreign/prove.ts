// Checks that a tree means the same as its source: written with only the parentheses of the source, it must give
// exactly the tokens of the source. The comparison also finds the first token of each node.
import { Unwritable } from '../dialect.ts';
import { Faults } from '../faults.ts';
import type { Query } from '../tree.ts';
import type { ForeignGrammar, ForeignToken } from './grammar.ts';
import type { Reading } from './reader.ts';
import { endsOperand, foreignTokens, isSign, isWord } from './tokens.ts';
import { writePlainly } from './write.ts';
import type { PositionedNode } from './writing.ts';

export function proveReading(reading: Reading, query: Query, sql: string, source: ForeignToken[]): void {
  const { grammar, faults } = reading;
  let plainWriting: ReturnType<typeof writePlainly>;
  try {
    plainWriting = writePlainly(grammar, query, reading.brackets);
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    const message = 'Servers differ in how they read a chain of operators here; put brackets around its parts.';
    faults.add(
      error.message === 'brackets' ? 'brackets' : 'construct',
      error.message === 'brackets' ? message : `The SQL can't be read exactly: ${error.message} is not allowed here.`,
    );
    return;
  }
  const written = foreignTokens(grammar, plainWriting.text, new Faults());
  const matched = matchTokens(comparable(grammar, source), comparable(grammar, written));
  if (typeof matched === 'string') {
    faults.add('construct', `The SQL can't be read exactly near "${matched.slice(0, 40)}"; write it in a plainer way.`);
    return;
  }
  setPositions(plainWriting.starts, matched, sql);
}

interface Comparable {
  text: string;
  /** True if upper and lower case differ. */
  name: boolean;
  shown: string;
  start: number;
}

/** Omits words that change nothing. */
function comparable(grammar: ForeignGrammar, tokens: ForeignToken[]): Comparable[] {
  return tokens.flatMap((token, index): Comparable[] => {
    const { kind, start } = token;
    if (kind === 'string') return [{ text: `'${token.text}`, name: false, shown: token.text, start }];
    if (kind === 'identifier')
      return [{ text: unquotedName(grammar, token.text), name: true, shown: token.text, start }];
    const text = token.text.toLowerCase();
    const before = tokens[index - 1];
    const ofSet =
      text === 'distinct' && SET_OPERATIONS.has(before?.text.toLowerCase() ?? '') && before?.kind === 'word';
    if (grammar.silent.has(text) || ofSet) return [];
    const sign = before !== undefined && endsOperand(grammar, before) ? grammar.operatorWords[text] : undefined;
    const displayText = grammar.knows.has('capitals') ? text : token.text;
    return [{ text: sign ?? grammar.synonyms[text] ?? text, name: false, shown: displayText, start }];
  });
}

/**
 * Pairs of matching positions, or the first token that differs. NOT can come before an operand or before its LIKE, so a
 * NOT in the source moves past one operand to its LIKE.
 */
function matchTokens(source: Comparable[], written: Comparable[]): [number, number][] | string {
  const pairs: [number, number][] = [];
  const carried: number[] = [];
  let [sourceIndex, depth] = [0, 0];
  for (const [index, token] of written.entries()) {
    if (token.text === 'not' && source[sourceIndex]?.text !== 'not') {
      if (carried.pop() !== depth || !isPattern(written[index + 1])) return source[sourceIndex]?.shown ?? 'the end';
      continue;
    }
    while (source[sourceIndex]?.text === 'not' && token.text !== 'not') {
      carried.push(depth);
      sourceIndex++;
    }
    const found = source[sourceIndex++];
    if (found?.text !== token.text || (token.name && found.shown !== token.shown)) return found?.shown ?? 'the end';
    if (carried.at(-1) === depth && ENDS_OPERAND.has(token.text)) return found.shown;
    if (token.text === '(') depth++;
    else if (token.text === ')') depth--;
    pairs.push([token.start, found.start]);
  }
  return sourceIndex === source.length && carried.length === 0 ? pairs : (source[sourceIndex]?.shown ?? 'the end');
}

/** A quoted name that needs no quotes equals the unquoted word. */
function unquotedName({ quotedOnly }: ForeignGrammar, name: string): string {
  const lower = name.toLowerCase();
  return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !RESERVED.has(lower) && !quotedOnly.has(lower)
    ? lower
    : `\`${name}`;
}

const isPattern = (token: Comparable | undefined): boolean => /^(?:i?like|regexp)$/.test(token?.text ?? '');
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);
const ENDS_OPERAND = new Set('and or xor , when then else end from where having group order limit'.split(' '));
const RESERVED = new Set([...ENDS_OPERAND, 'not', 'like', 'ilike', 'regexp']);

/** Sets the byte offset of each node, and numbers the parameters from left to right. */
function setPositions(
  starts: readonly [PositionedNode, number][],
  pairs: readonly [number, number][],
  sql: string,
): void {
  const bytes = bytesAt(sql);
  let [pair, parameters] = [0, 0];
  for (const [node, start] of starts) {
    while (pair + 1 < pairs.length && pairs[pair]![0] < start) pair++;
    node.at = bytes(pairs[pair]![1]);
    if ('kind' in node && node.kind === 'parameter') node.index = ++parameters;
  }
}

function bytesAt(sql: string): (offset: number) => number {
  let [from, total] = [0, 0];
  return (offset) => {
    if (offset < from) [from, total] = [0, 0];
    total += Buffer.byteLength(sql.slice(from, offset));
    from = offset;
    return total;
  };
}

/** Tokens of a query without a final semicolon. Null, with faults, for any other statement. */
export function statementTokens(grammar: ForeignGrammar, sql: string, faults: Faults): ForeignToken[] | null {
  let tokens = foreignTokens(grammar, sql, faults);
  if (faults.list.length > 0) return null;
  if (isSign(tokens.at(-1), ';')) tokens = tokens.slice(0, -1);
  if (tokens.some((token) => isSign(token, ';'))) {
    faults.add('one_statement', 'One SELECT is expected; the text holds several statements.');
    return null;
  }
  const [first] = tokens.filter(({ kind }) => kind !== 'open');
  if (!isWord(first, 'select') && !isWord(first, 'with')) {
    const word = first?.text.toUpperCase() ?? 'This';
    faults.add('not_select', `${word.slice(0, 40)} is not a SELECT; only reading is allowed.`);
    return null;
  }
  if (!grammar.stringAliases) return tokens;
  return tokens.map((token, index) =>
    token.kind === 'string' && isWord(tokens[index - 1], 'as') ? { ...token, kind: 'identifier' } : token,
  );
}
