// Text to tree, and the proof that MySQL reads the text so: the tree written plainly must be the very tokens of the source.

import type { Faults } from '../../dialects/faults.ts';
import type { AstNode } from '../ast.ts';
import { type MysqlToken, mysqlTokens } from './lexer.ts';
import { endsOperand, parseMysql } from './parser.ts';
import { MysqlWriter, UnwritableTree } from './writer.ts';

/** The one query that the text is, proven to be read as MySQL reads it; null with faults otherwise. */
export async function readMysql(sql: string, faults: Faults): Promise<{ query: AstNode; tokens: MysqlToken[] } | null> {
  let tokens = mysqlTokens(sql, faults);
  if (faults.list.length > 0) return null;
  if (tokens.at(-1)?.text === ';') tokens = tokens.slice(0, -1);
  if (tokens.some(({ kind, text }) => kind === 'symbol' && text === ';')) {
    faults.add('one_statement', 'One SELECT is expected; the text holds several statements.');
    return null;
  }
  tokens = tokens.map((token, index) => {
    const named =
      token.kind === 'string' && tokens[index - 1]?.kind === 'word' && /^as$/i.test(tokens[index - 1]!.text);
    return named ? { ...token, kind: 'identifier' as const } : token;
  });
  const [first] = tokens.filter(({ kind }) => kind !== 'open');
  if (!first || !/^(?:select|with)$/i.test(first.text) || first.kind !== 'word') {
    const word = first?.text.toUpperCase() ?? 'This';
    faults.add('not_select', `${word.slice(0, 40)} is not a SELECT; only reading is allowed.`);
    return null;
  }
  const query = await parseMysql(tokens, faults);
  return query && { query, tokens };
}

/** The tree in the brackets of the source; empty when it can't be written or its brackets aren't MySQL's. */
export function writtenPlainly(query: AstNode, faults: Faults): string | null {
  try {
    return new MysqlWriter({ plain: true }).query(query);
  } catch (error) {
    if (!(error instanceof UnwritableTree)) throw error;
    if (error.message === 'brackets') {
      faults.add(
        'brackets',
        'Servers differ in how they read a chain of operators here; put brackets around its parts.',
      );
    }
    return null;
  }
}

export function compareWithSource(plain: string | null, tokens: MysqlToken[], faults: Faults): void {
  const again = plain === null ? [] : mysqlTokens(plain, faults);
  const [source, written] = [comparable(tokens), comparable(again)];
  const differs = source.findIndex((text, index) => text !== written[index]);
  if (differs < 0 && source.length === written.length && nots(tokens) === nots(again)) return;
  const near = source[differs]?.replace(/^'/, '').slice(0, 40) ?? 'the end';
  faults.add('construct', `The SQL can't be read exactly near "${near}"; write it in a plainer way.`);
}

const nots = (tokens: MysqlToken[]): number => tokens.filter(({ text }) => /^not$/i.test(text)).length;

/** Words that change nothing are left out; NOT may stand before the operand or before LIKE, and is counted instead. */
function comparable(tokens: MysqlToken[]): string[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === 'string') return `'${token.text}`;
    const text = token.text.toLowerCase();
    if (['as', 'inner', 'outer', 'asc', 'not'].includes(text)) return [];
    if (text === '!=') return '<>';
    if (text === 'rlike') return 'regexp';
    const before = tokens[index - 1];
    return text === 'mod' && before !== undefined && endsOperand(before) ? '%' : text;
  });
}
