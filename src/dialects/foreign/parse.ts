// Parses statements with @polyglot-sql/sdk. This parser doesn't read all SQL exactly, so svc passes simplified tokens
// to it, and accepts a tree only if writing the tree produces the tokens of the source (prove.ts).
import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../ast.ts';
import type { FaultCollector } from '../fault-collector.ts';
import { isEmptyField } from './fields.ts';
import type { ForeignGrammar, ForeignToken } from './grammar.ts';
import { canEndOperand, isSymbol, isWord } from './tokens.ts';

const CALL_PLACEHOLDER = 'svcfn__';
const NAME_PLACEHOLDER = 'svcid__';

interface SimplifiedTokens {
  text: string;
  strings: string[];
  names: string[];
}

async function openParser() {
  const { parse } = await import('@polyglot-sql/sdk');
  return (sql: string, engine: string): { success: boolean; ast?: unknown; error?: string | null } =>
    parse(sql, engine as never);
}
let openedParser: ReturnType<typeof openParser> | undefined;

/** Returns the only statement in the tokens. If there is no single statement, reports errors and returns null. */
export async function parseForeign(
  grammar: ForeignGrammar,
  tokens: ForeignToken[],
  faults: FaultCollector,
): Promise<AstNode | null> {
  openedParser ??= openParser();
  const parse = await openedParser;
  const simplifiedTokens = simplifyTokens(grammar, tokens, faults);
  if (faults.list.length > 0) return null;
  try {
    const parseResult = parse(simplifiedTokens.text, grammar.parser);
    if (!parseResult.success) {
      faults.add(
        'syntax',
        `The SQL can't be parsed: ${describeParseError(parseResult.error, simplifiedTokens, tokens)}.`,
      );
      return null;
    }
    const statements = toList(parseResult.ast);
    if (statements.length !== 1) {
      faults.add('one_statement', `Only one SELECT is allowed, but the SQL contains ${statements.length} statements.`);
      return null;
    }
    restorePlaceholders(grammar, statements[0], simplifiedTokens);
    return toAstNode(statements[0]);
  } catch {
    openedParser = undefined; // Discards the parser, because its WASM module is unusable after a trap.
    faults.add('syntax', "The SQL can't be parsed: it is nested too deeply or is not a statement.");
    return null;
  }
}

/** Quotes the source where the parser stopped, because the parser's own message contains placeholders. */
function describeParseError(
  error: string | null | undefined,
  { text }: SimplifiedTokens,
  tokens: ForeignToken[],
): string {
  if (/depth|recursion|too deep/i.test(error ?? '')) return 'it is nested too deeply';
  const [, column] = /column (\d+)/.exec(error ?? '') ?? [];
  if (column === undefined) return 'syntax error';
  // Finds the token by its column, because the simplified SQL has one space after each token, except around dots.
  let length = 0;
  for (const token of tokens) {
    length = text.indexOf(createPlaceholder(token), length) + 1;
    if (length >= Number(column)) return `syntax error near "${token.text.slice(0, 40)}"`;
  }
  return 'syntax error at the end';
}
const createPlaceholder = (token: ForeignToken): string =>
  token.kind === 'string' ? "'s" : token.kind === 'identifier' ? NAME_PLACEHOLDER : token.text;

function simplifyTokens(grammar: ForeignGrammar, tokens: ForeignToken[], faults: FaultCollector): SimplifiedTokens {
  const simplifiedTokens: SimplifiedTokens = { text: '', strings: [], names: [] };
  for (const [index, token] of tokens.entries()) {
    const isDotted = isSymbol(token, '.') || isSymbol(tokens[index - 1], '.');
    simplifiedTokens.text += `${isDotted ? '' : ' '}${replaceWithPlaceholder(grammar, tokens, index, simplifiedTokens, faults)}`;
  }
  return simplifiedTokens;
}

function replaceWithPlaceholder(
  grammar: ForeignGrammar,
  tokens: ForeignToken[],
  index: number,
  simplifiedTokens: SimplifiedTokens,
  faults: FaultCollector,
): string {
  const token = tokens[index]!;
  switch (token.kind) {
    case 'string':
      return `'s${simplifiedTokens.strings.push(token.text) - 1}'`;
    case 'identifier':
      return `${NAME_PLACEHOLDER}${simplifiedTokens.names.push(token.text) - 1}`;
    case 'parameter':
      faults.add('parameter', `${token.text} is not a parameter of this statement.`, { offset: token.start });
      return token.text;
    case 'word':
      for (const placeholder of [CALL_PLACEHOLDER, NAME_PLACEHOLDER]) {
        if (token.text.toLowerCase().startsWith(placeholder))
          faults.add('identifier', `A name can’t begin with ${placeholder}.`);
      }
      if (isCall(grammar, tokens, index)) return CALL_PLACEHOLDER + grammar.foldFunction(token.text);
      return grammar.features.has('capitals') ? token.text.toLowerCase() : token.text;
    default:
      return token.text;
  }
}

function isCall(grammar: ForeignGrammar, tokens: ForeignToken[], index: number): boolean {
  const [previous, token, next] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  const word = token.text.toLowerCase();
  if (next?.kind !== 'open' || grammar.keywords.has(word) || isWord(previous, 'as') || isSymbol(previous, '.'))
    return false;
  const afterOperand = previous !== undefined && canEndOperand(grammar, previous);
  if (word in grammar.operatorWords && afterOperand) return false;
  return next.start === token.end || grammar.isFunction(grammar.foldFunction(token.text));
}

/**
 * Replaces the placeholders with the original strings and names. Sets `known` in each call whose name was a
 * placeholder.
 */
function restorePlaceholders(grammar: ForeignGrammar, tree: unknown, simplifiedTokens: SimplifiedTokens): void {
  if (Array.isArray(tree)) {
    for (const item of tree) restorePlaceholders(grammar, item, simplifiedTokens);
    return;
  }
  if (!isAstNode(tree)) return;
  if (typeof tree['literal_type'] === 'string') {
    const stringMatch = /^s(\d+)$/.exec(toTextOrEmpty(tree['value']));
    if (tree['literal_type'] === 'string' && !stringMatch) tree['literal_type'] = 'number';
    else if (stringMatch) tree['value'] = simplifiedTokens.strings[Number(stringMatch[1])];
  } else if (typeof tree['name'] === 'string') {
    const name = tree['name'];
    const nameMatch = tree['quoted'] === true ? /^s(\d+)$/.exec(name) : null;
    if (nameMatch) tree['name'] = simplifiedTokens.strings[Number(nameMatch[1])];
    else if (name.startsWith(NAME_PLACEHOLDER))
      tree['name'] = simplifiedTokens.names[Number(name.slice(NAME_PLACEHOLDER.length))];
    else if (name.toLowerCase().startsWith(CALL_PLACEHOLDER)) {
      tree['name'] = name.slice(CALL_PLACEHOLDER.length);
      if ('args' in tree) markCall(grammar, tree);
    }
  }
  for (const value of Object.values(tree)) restorePlaceholders(grammar, value, simplifiedTokens);
}

function markCall(grammar: ForeignGrammar, call: AstNode): void {
  call['known'] = true;
  const unitIndex = grammar.unitFunctions.get(toTextOrEmpty(call['name']));
  if (unitIndex === undefined) return;
  const args = toList(call['args']);
  const column = toAstNode(toAstNode(args[unitIndex])['column']);
  const unit = toAstNode(column['name']);
  const isBareUnit = isEmptyField(column['table']) && !toTextOrEmpty(unit['name']).startsWith(NAME_PLACEHOLDER);
  if (!isBareUnit || typeof unit['name'] !== 'string') return;
  call['unit'] = unit['name'];
  call['args'] = args.toSpliced(unitIndex, 1);
}
