// MySQL and MariaDB. No exact parser of theirs exists for us, so three things must agree before anything runs: our lexer's
// tokens, the parser's tree, and MySQL's precedences. The tree written plainly must be the very tokens of the source; what
// runs is the checked, rewritten tree in a form that can be read in one way only, and it must parse back to that tree.

import { Faults } from '../../dialects/faults.ts';
import { Analysis, type Constant } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, replaceNode } from '../ast.ts';
import type { Examined } from '../examined.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { GovernedBodies, rewriteGoverned } from '../rewrite-governed.ts';
import { walkStatement } from '../walk.ts';
import { MYSQL_FUNCTIONS } from '../../dialects/mysql/functions.ts';
import type { MysqlToken } from './lexer.ts';
import { constantOf } from './nodes.ts';
import { endsOperand } from './parser.ts';
import { compareWithSource, readMysql, writtenPlainly } from './read-exactly.ts';
import { isEmpty, UNMEANT } from './shapes.ts';
import { mysqlWalk } from './walker.ts';
import { MysqlWriter, UnwritableTree } from './writer.ts';

const bodies = new GovernedBodies(parseBody, bareTable);

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
  const outputs = walkStatement(mysqlWalk(analysis, parameters), query);
  if (analysis.placeholders !== parameters) {
    faults.add('parameter', 'The statement holds another number of parameters than was written.');
  }
  if (faults.list.length === 0) compareWithSource(plain, tokens, faults);
  analysis.constants.push(...constantsOf(sql, tokens));
  return {
    analysis,
    outputs,
    ordered: !isEmpty(asNode(Object.values(query)[0])['order_by']),
    rewrite: (maxRows) =>
      rewriteGoverned(analysis, maxRows, {
        bodies,
        setLimit: (most) => setLimit(query, most),
        write: () => write(query),
      }),
  };
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

/** The text of the tree, if it parses back to that very tree. */
async function write(query: AstNode): Promise<string | null> {
  try {
    nameOutputs(query);
    const text = new MysqlWriter({ plain: false }).query(query);
    const again = await readMysql(text, new Faults());
    return again && meaningOf(again.query) === meaningOf(query) ? text : null;
  } catch (error) {
    if (error instanceof UnwritableTree) return null;
    throw error;
  }
}

async function parseBody(body: string, faults: Faults): Promise<AstNode | null> {
  const read = await readMysql(body, faults);
  if (read) compareWithSource(writtenPlainly(read.query, faults), read.tokens, faults);
  return read?.query ?? null;
}

function bareTable(node: AstNode): string | null {
  const { name, schema } = asNode(node['table']);
  return isNode(name) && !isNode(schema) ? asText(name['name']) : null;
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
    replaceNode(target, { alias: { this: inner, alias: { name: text } } });
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
function meaningOf(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (UNMEANT.has(key) || isEmpty(value)) return undefined;
    let node = value;
    while (isNode(node) && isNode(node['paren']) && Object.keys(node).length === 1) node = node['paren']['this'];
    if (!isNode(node)) return node;
    return Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
