// Writes SQL for Redshift. Strings contain no backslash, because not all servers read a backslash in the same way.
import { tokenize } from '../../../dialects/lexer.ts';
import { callOf, columnOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import { replaceNodes } from '../../../dialects/nodes.ts';
import type { Expression, Node, Query } from '../../../dialects/tree.ts';
import { writeExpression, writeQuery } from '../../postgres/dialect/write.ts';

export const writeRedshift = (query: Query): string => writeQuery(replaceNodes(query, toPostgresNode));
export const writeRedshiftExpression = (expression: Expression): string =>
  writeExpression(replaceNodes(expression, toPostgresNode));

function toPostgresNode(node: Node): Node | null {
  if (node.kind === 'literal' && node.type === 'string' && node.value.includes('\\'))
    return joinBackslashes(node.value);
  if (node.kind !== 'call' || node.unit === null) return null;
  return {
    ...node,
    unit: null,
    args: [columnOf(node.unit), ...node.args.map((arg) => replaceNodes(arg, toPostgresNode))],
  };
}

function joinBackslashes(text: string): Expression {
  const [firstPart = '', ...otherParts] = text.split('\\');
  const join = (left: Expression, right: Expression): Expression => ({
    kind: 'operation',
    operator: '||',
    left,
    right,
    at: null,
  });
  const backslash = callOf('chr', [numberOf(92)]);
  return otherParts.reduce<Expression>((left, part) => join(join(left, backslash), textOf(part)), textOf(firstPart));
}

/** Matches the SQL between the parts of a string that svc splits at a backslash. */
const BACKSLASH_JOINT_PATTERN = /^ \|\| chr\(92\)\)* \|\| $/;

export function listRedshiftTexts(sql: string): string[] {
  const texts: string[] = [];
  let lastEnd = -1;
  for (const { kind, start, end } of tokenize(sql)) {
    if (kind !== 'string' || sql[start] !== "'") continue;
    const text = sql.slice(start + 1, end - 1).replaceAll("''", "'");
    const isContinuation = lastEnd >= 0 && BACKSLASH_JOINT_PATTERN.test(sql.slice(lastEnd, start));
    texts.push(isContinuation ? `${texts.pop()}\\${text}` : text);
    lastEnd = end;
  }
  return texts;
}
