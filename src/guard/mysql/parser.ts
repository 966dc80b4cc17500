// @polyglot-sql/sdk reads more dialects than it reads exactly. So it is shown only tokens that our own lexer has made plain
// (placeholders for strings and odd names, every call under a name of our own so that it stays a plain call), and what it
// says is believed only when the tree, written again, gives back the very tokens of the source (read-exactly.ts).

import type { Faults } from '../../dialects/faults.ts';
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { MYSQL_FUNCTIONS } from '../../dialects/mysql/functions.ts';
import type { MysqlToken } from './lexer.ts';
import { isEmpty, UNIT_FUNCTIONS } from './shapes.ts';

const CALL = 'svcfn__';
const KEYWORDS = new Set(
  `select distinct from where and or not xor in exists all any some as on using join inner outer cross natural union except
   intersect order by group having limit offset when then else case end over values with recursive between like rlike regexp
   is div interval cast convert extract group_concat lateral partition window separator escape collate binary row return
   decimal numeric varchar datetime signed unsigned double float`.split(/\s+/),
);

interface Plain {
  text: string;
  strings: string[];
  names: string[];
}

async function openParser() {
  const { parse } = await import('@polyglot-sql/sdk');
  return (sql: string): { success: boolean; ast?: unknown; error?: string | null } => parse(sql, 'mysql' as never);
}
let opened: ReturnType<typeof openParser> | undefined;

/** The one query that the tokens are; null with faults otherwise. */
export async function parseMysql(tokens: MysqlToken[], faults: Faults): Promise<AstNode | null> {
  opened ??= openParser();
  const parse = await opened;
  const plain = plainText(tokens, faults);
  if (faults.list.length > 0) return null;
  let read: ReturnType<typeof parse>;
  try {
    read = parse(plain.text);
  } catch {
    opened = undefined; // a module that trapped stays broken
    faults.add('syntax', "The SQL can't be parsed: it nests too deeply or is not a statement.");
    return null;
  }
  if (!read.success) {
    faults.add('syntax', `The SQL can't be parsed: ${whyOf(read.error, plain, tokens)}.`);
    return null;
  }
  const statements = asList(read.ast);
  if (statements.length !== 1) {
    faults.add('one_statement', `One SELECT is expected; the text holds ${statements.length} statements.`);
    return null;
  }
  resolve(statements[0], plain);
  return asNode(statements[0]);
}

/** The parser's words about its placeholders are of no use; what stands where it stopped is. */
function whyOf(error: string | null | undefined, { text }: Plain, tokens: MysqlToken[]): string {
  if (/depth|recursion|too deep/i.test(error ?? '')) return 'it nests too deeply';
  const [, column] = /column (\d+)/.exec(error ?? '') ?? [];
  if (column === undefined) return 'syntax error';
  // One blank after each token but around dots: count the tokens before the place.
  let length = 0;
  for (const token of tokens) {
    length = text.indexOf(markOf(token), length) + 1;
    if (length >= Number(column)) return `syntax error near "${token.text.slice(0, 40)}"`;
  }
  return 'syntax error at the end';
}
const markOf = (token: MysqlToken): string =>
  token.kind === 'string' ? "'s" : token.kind === 'identifier' ? '`i' : token.text;

function plainText(tokens: MysqlToken[], faults: Faults): Plain {
  const plain: Plain = { text: '', strings: [], names: [] };
  for (const [index, token] of tokens.entries()) {
    const dotted = token.text === '.' || tokens[index - 1]?.text === '.';
    plain.text += `${dotted && token.kind !== 'string' ? '' : ' '}${written(token, tokens, index, plain, faults)}`;
  }
  return plain;
}

function written(token: MysqlToken, tokens: MysqlToken[], index: number, plain: Plain, faults: Faults): string {
  switch (token.kind) {
    case 'string':
      return `'s${plain.strings.push(token.text) - 1}'`;
    case 'identifier':
      return `\`i${plain.names.push(token.text) - 1}\``;
    case 'parameter':
      faults.add('parameter', `${token.text} is not a parameter of this statement.`, { offset: token.start });
      return token.text;
    case 'word': {
      const word = token.text.toLowerCase();
      if (word.startsWith(CALL)) faults.add('identifier', `Names may not begin with ${CALL}.`);
      return isCall(word, tokens, index) ? CALL + word : token.text;
    }
    default:
      return token.text;
  }
}

function isCall(word: string, tokens: MysqlToken[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  if (next?.kind !== 'open' || KEYWORDS.has(word) || before?.text.toLowerCase() === 'as') return false;
  if (before?.text === '.') return false;
  if (word === 'mod' && before !== undefined && endsOperand(before)) return false;
  return next.start === token.end || MYSQL_FUNCTIONS.has(word);
}

/** An operand ends here, so that what follows is an operator. */
export const endsOperand = (token: MysqlToken): boolean =>
  token.kind === 'word'
    ? !KEYWORDS.has(token.text.toLowerCase()) || /^end$/i.test(token.text)
    : !['symbol', 'open'].includes(token.kind);

/** Placeholders become what they stand for; a call that did not go through our name is marked by its missing `known`. */
function resolve(tree: unknown, plain: Plain): void {
  if (Array.isArray(tree)) {
    for (const one of tree) resolve(one, plain);
    return;
  }
  if (!isNode(tree)) return;
  if (typeof tree['literal_type'] === 'string') {
    const stored = /^s(\d+)$/.exec(asText(tree['value']));
    if (tree['literal_type'] === 'string' && !stored) tree['literal_type'] = 'number';
    else if (stored) tree['value'] = plain.strings[Number(stored[1])];
  } else if (typeof tree['name'] === 'string') {
    const name = tree['name'];
    const stored = tree['quoted'] === true ? /^([is])(\d+)$/.exec(name) : null;
    if (stored) tree['name'] = (stored[1] === 'i' ? plain.names : plain.strings)[Number(stored[2])];
    else if (name.toLowerCase().startsWith(CALL)) {
      tree['name'] = name.slice(CALL.length);
      if ('args' in tree) markCall(tree);
    }
  }
  for (const value of Object.values(tree)) resolve(value, plain);
}

function markCall(call: AstNode): void {
  call['known'] = true;
  const first = asNode(asNode(asList(call['args'])[0])['column']);
  const unit = asNode(first['name']);
  const bare = unit['quoted'] !== true && isEmpty(first['table']);
  if (!UNIT_FUNCTIONS.has(asText(call['name']).toLowerCase()) || !bare) return;
  call['unit'] = asText(unit['name']).toUpperCase();
  unit['name'] = call['unit'];
}
