// MySQL and MariaDB. No exact parser of theirs exists for us, so three things must agree before anything runs: our lexer's
// tokens, the parser's tree, and MySQL's precedences. The tree written plainly must be the very tokens of the source; what
// runs is the checked, rewritten tree in a form that can be read in one way only, and it must parse back to that tree.
import { LRUCache } from 'lru-cache';
import { Analysis, type Constant } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import type { Examined } from '../examined.ts';
import { Faults, unusableBody } from '../faults.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { MYSQL_FUNCTIONS } from './functions.ts';
import { type MysqlToken, mysqlTokens } from './lexer.ts';
import { endsOperand, parseMysql } from './parser.ts';
import { isEmpty, UNMEANT } from './shapes.ts';
import { constantOf, MysqlWalker } from './walker.ts';
import { MysqlWriter, UnwritableTree } from './writer.ts';

const bodies = new LRUCache<string, AstNode>({ max: 500 });

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

export async function examineMysql(
  sql: string,
  parameters: number,
  scope: GuardScope,
  faults: Faults,
): Promise<Examined | null> {
  const read = await readMysql(sql, faults);
  if (!read) return null;
  const { query, tokens } = read;
  const analysis = new Analysis(scope, MYSQL_FUNCTIONS, faults);
  // The source's own words, before any name is changed.
  const plain = writtenPlainly(query, faults);
  const outputs = new MysqlWalker(analysis, parameters).statement(query);
  if (faults.list.length === 0) compareWithSource(plain, tokens, faults);
  analysis.constants.push(...constantsOf(sql, tokens));
  return {
    analysis,
    outputs,
    ordered: !isEmpty(asNode(Object.values(query)[0])['order_by']),
    rewrite: (maxRows) => rewrite(query, analysis, maxRows, faults),
  };
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

/** Each literal where it stands, in bytes; a minus sign that is no subtraction belongs to its number. */
function constantsOf(sql: string, tokens: MysqlToken[]): Constant[] {
  const at = (offset: number): number => Buffer.byteLength(sql.slice(0, offset));
  return tokens.flatMap((token, index): Constant[] => {
    if (token.kind === 'word' && /^(?:true|false)$/i.test(token.text)) {
      return [{ location: at(token.start), value: token.text.toLowerCase() === 'true' }];
    }
    if (token.kind !== 'string' && token.kind !== 'number') return [];
    const found: Constant[] = [{ location: at(token.start), value: token.text }];
    const [before, sign] = [tokens[index - 2], tokens[index - 1]];
    const negative = token.kind === 'number' && sign?.text === '-' && sign.end === token.start;
    if (negative && (before === undefined || !endsOperand(before))) {
      found.push({ location: at(sign.start), value: `-${token.text}` });
    }
    return found;
  });
}

async function rewrite(query: AstNode, analysis: Analysis, maxRows: number | null, faults: Faults): Promise<string> {
  for (const { body, replace } of analysis.replacements()) replace(await parseBody(body, analysis, faults));
  if (maxRows !== null) setLimit(query, maxRows);
  if (faults.list.length > 0) return '';
  try {
    nameOutputs(query);
    const text = new MysqlWriter({ plain: false }).query(query);
    const again = await readMysql(text, new Faults());
    if (again && shapeOf(again.query) === shapeOf(query)) return text;
  } catch (error) {
    if (!(error instanceof UnwritableTree)) throw error;
    // Falls through: a tree that can't be written is refused like one that reads differently.
  }
  faults.add(
    'rewrite',
    "The statement can't be rewritten faithfully with the row policies; write it in a plainer way.",
  );
  return '';
}

/** A CTE named like a table inside a body would stand in for it (G11), so such a name is refused. */
async function parseBody(body: string, analysis: Analysis, faults: Faults): Promise<AstNode> {
  let parsed = bodies.get(body);
  if (!parsed) {
    const wrong = new Faults();
    const read = await readMysql(body, wrong);
    if (read) compareWithSource(writtenPlainly(read.query, wrong), read.tokens, wrong);
    if (!read || wrong.list.length > 0) throw unusableBody(wrong);
    parsed = read.query;
    bodies.set(body, parsed);
  }
  for (const name of unqualifiedTables(parsed)) {
    if (analysis.cteNames.has(name.toLowerCase())) {
      faults.add('cte_name', `Rename ${name} in WITH: it hides a governed table.`);
    }
  }
  return structuredClone(parsed);
}

function* unqualifiedTables(tree: unknown): Generator<string> {
  if (Array.isArray(tree)) for (const one of tree) yield* unqualifiedTables(one);
  else if (isNode(tree)) {
    for (const [key, value] of Object.entries(tree)) {
      const table = asNode(value);
      if (key === 'table' && isNode(table['name']) && !isNode(table['schema'])) yield asText(table['name']['name']);
      yield* unqualifiedTables(value);
    }
  }
}

const LONGEST_NAME = 60;

/** MySQL names an unnamed expression by its text, which the rewriting changes; names hold no character beyond U+FFFF. */
function nameOutputs(query: AstNode): void {
  const [first] = Object.values(query).map(asNode);
  if ('left' in first!) nameOutputs(asNode(first['left']));
  else if ('subquery' in query) nameOutputs(asNode(first!['this']));
  for (const target of asList(first?.['expressions']).map(asNode)) {
    if (['alias', 'column', 'star'].some((kind) => kind in target)) continue;
    const text = new MysqlWriter({ plain: false })
      .expression(target)
      .replaceAll('`', '')
      .replace(/[^\u0001-\uFFFF]/gu, '?')
      .slice(0, LONGEST_NAME)
      .trim();
    const inner = { ...target };
    for (const key of Object.keys(target)) delete target[key];
    target['alias'] = { this: inner, alias: { name: text } };
  }
}

/** One row more than the cap, so that a cut shows. A bound LIMIT stays: the fetch stops at the cap by itself. */
function setLimit(query: AstNode, maxRows: number): void {
  const [kind] = Object.keys(query);
  const data = asNode(query[kind!]);
  if (kind === 'subquery') {
    setLimit(asNode(data['this']), maxRows);
    return;
  }
  const given = asNode(data['limit']);
  const value = 'this' in given ? given['this'] : data['limit'];
  const own = constantOf(value);
  if ((typeof own === 'number' && own <= maxRows) || 'placeholder' in asNode(value)) return;
  const cap = { literal: { literal_type: 'number', value: String(maxRows + 1) } };
  data['limit'] = kind === 'select' ? { this: cap } : cap;
}

/** The meaning alone: brackets are in the tree itself. */
function shapeOf(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (UNMEANT.has(key) || isEmpty(value)) return undefined;
    let node = value;
    while (isNode(node) && isNode(node['paren']) && Object.keys(node).length === 1) node = node['paren']['this'];
    if (!isNode(node)) return node;
    return Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
