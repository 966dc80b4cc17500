// Checks that a tree means the same as its source. svc writes the tree with only the parentheses of the source, and the
// result must have exactly the tokens of the source. This comparison also finds the first token of each node.
import { UnwritableError } from '../dialect.ts';
import { FaultCollector } from '../fault-collector.ts';
import type { Query } from '../tree.ts';
import type { ForeignGrammar, ForeignToken } from './grammar.ts';
import type { NodeWithPosition } from './sql-writer.ts';
import { canEndOperand, isSymbol, isWord, tokenizeForeign } from './tokens.ts';
import type { TreeReader } from './tree-reader.ts';
import { writeWithSourceParentheses } from './write.ts';

export function verifyParsedQuery(reader: TreeReader, query: Query, sql: string, source: ForeignToken[]): void {
  const { grammar, faults } = reader;
  let plainWriting: ReturnType<typeof writeWithSourceParentheses>;
  try {
    plainWriting = writeWithSourceParentheses(grammar, query, reader.brackets);
  } catch (error) {
    if (!(error instanceof UnwritableError)) throw error;
    const message = 'Servers interpret this chain of operators in different ways. Put parentheses around its parts.';
    faults.add(
      error.message === 'brackets' ? 'brackets' : 'construct',
      error.message === 'brackets'
        ? message
        : `svc can't be sure of the meaning of the SQL: ${error.message} is not allowed here.`,
    );
    return;
  }
  const writtenTokens = tokenizeForeign(grammar, plainWriting.text, new FaultCollector());
  const matchedTokens = matchTokens(toComparableTokens(grammar, source), toComparableTokens(grammar, writtenTokens));
  if (typeof matchedTokens === 'string') {
    faults.add(
      'construct',
      `svc can't be sure of the meaning of the SQL near "${matchedTokens.slice(0, 40)}". Use simpler SQL there.`,
    );
    return;
  }
  assignPositions(plainWriting.starts, matchedTokens, sql);
}

interface ComparableToken {
  text: string;
  /** Whether the name is quoted. Two quoted names match only if their letter case is the same. */
  isQuotedName: boolean;
  displayText: string;
  start: number;
}

/** Omits words that don't change the meaning. */
function toComparableTokens(grammar: ForeignGrammar, tokens: ForeignToken[]): ComparableToken[] {
  return tokens.flatMap((token, index): ComparableToken[] => {
    const { kind, start } = token;
    if (kind === 'string') return [{ text: `'${token.text}`, isQuotedName: false, displayText: token.text, start }];
    if (kind === 'identifier')
      return [{ text: normalizeQuotedName(grammar, token.text), isQuotedName: true, displayText: token.text, start }];
    const text = token.text.toLowerCase();
    const previous = tokens[index - 1];
    const isSetQuantifier =
      text === 'distinct' && SET_OPERATIONS.has(previous?.text.toLowerCase() ?? '') && previous?.kind === 'word';
    if (grammar.silent.has(text) || isSetQuantifier) return [];
    const sign = previous !== undefined && canEndOperand(grammar, previous) ? grammar.operatorWords[text] : undefined;
    const displayText = grammar.features.has('capitals') ? text : token.text;
    return [{ text: sign ?? grammar.synonyms[text] ?? text, isQuotedName: false, displayText: displayText, start }];
  });
}

/** Returns pairs of matching positions, or the first token that differs. */
function matchTokens(source: ComparableToken[], writtenTokens: ComparableToken[]): [number, number][] | string {
  const pairs: [number, number][] = [];
  for (const [index, token] of writtenTokens.entries()) {
    const sourceToken = source[index];
    if (sourceToken?.text !== token.text || (token.isQuotedName && sourceToken.displayText !== token.displayText))
      return sourceToken?.displayText ?? 'the end';
    pairs.push([token.start, sourceToken.start]);
  }
  return pairs.length === source.length ? pairs : source[pairs.length]!.displayText;
}

/**
 * Returns a quoted name that needs no quotes as the unquoted word, so that the quoted and the unquoted form compare as
 * equal.
 */
function normalizeQuotedName({ quotedOnly }: ForeignGrammar, name: string): string {
  const lower = name.toLowerCase();
  return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !RESERVED_WORDS.has(lower) && !quotedOnly.has(lower)
    ? lower
    : `\`${name}`;
}

const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);
const RESERVED_WORDS = new Set(
  'and or xor when then else end from where having group order limit not like ilike regexp'.split(' '),
);

/** Sets the byte offset of each node, and numbers the parameters from left to right. */
function assignPositions(
  starts: readonly [NodeWithPosition, number][],
  pairs: readonly [number, number][],
  sql: string,
): void {
  const byteOffsetOf = createByteOffsetCounter(sql);
  let [pairIndex, parameterCount] = [0, 0];
  for (const [node, start] of starts) {
    while (pairIndex + 1 < pairs.length && pairs[pairIndex]![0] < start) pairIndex++;
    node.at = byteOffsetOf(pairs[pairIndex]![1]);
    if ('kind' in node && node.kind === 'parameter') node.index = ++parameterCount;
  }
}

function createByteOffsetCounter(sql: string): (offset: number) => number {
  let [lastOffset, total] = [0, 0];
  return (offset) => {
    if (offset < lastOffset) [lastOffset, total] = [0, 0];
    total += Buffer.byteLength(sql.slice(lastOffset, offset));
    lastOffset = offset;
    return total;
  };
}

/**
 * Returns the tokens of a query, without a final semicolon. For any other statement, returns null and reports errors.
 */
export function extractStatementTokens(
  grammar: ForeignGrammar,
  sql: string,
  faults: FaultCollector,
): ForeignToken[] | null {
  let tokens = tokenizeForeign(grammar, sql, faults);
  if (faults.list.length > 0) return null;
  if (isSymbol(tokens.at(-1), ';')) tokens = tokens.slice(0, -1);
  if (tokens.some((token) => isSymbol(token, ';'))) {
    faults.add('one_statement', 'Only one SELECT is allowed, but the SQL contains several statements.');
    return null;
  }
  const [firstToken] = tokens.filter(({ kind }) => kind !== 'open');
  if (!isWord(firstToken, 'select') && !isWord(firstToken, 'with')) {
    const word = firstToken?.text.toUpperCase() ?? 'This';
    faults.add('not_select', `${word.slice(0, 40)} is not a SELECT; only reading is allowed.`);
    return null;
  }
  if (!grammar.stringAliases) return tokens;
  return tokens.map((token, index) =>
    token.kind === 'string' && isWord(tokens[index - 1], 'as') ? { ...token, kind: 'identifier' } : token,
  );
}
