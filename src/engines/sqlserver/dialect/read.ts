import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { readForeign } from '../../../dialects/foreign/foreign.ts';
import { tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import { listNodes, replaceNodes } from '../../../dialects/nodes.ts';
import type { Node, Query } from '../../../dialects/tree.ts';
import { isCondition, listConditions } from './conditions.ts';
import { SQLSERVER_GRAMMAR } from './grammar.ts';
import { ALL_ROWS_ALIAS } from './write.ts';

export async function readSqlserver(sql: string, faults: FaultCollector): Promise<Query | null> {
  const faultsBefore = faults.list.length;
  const query = await readForeign(SQLSERVER_GRAMMAR, sql, faults);
  if (!query || faults.list.length > faultsBefore) return query;
  refuseUnsupportedTokens(tokenizeForeign(SQLSERVER_GRAMMAR, sql, faults), faults);
  const refuseConstruct = (construct: string): void => faults.add('construct', `${construct} is not allowed here.`);
  for (const node of listNodes(query)) {
    const construct = findUnsupportedConstruct(node, node === query);
    if (construct) refuseConstruct(construct);
  }
  checkConditions(query, refuseConstruct);
  return unwrapLimitedSetOperation(query);
}

const TYPED_LITERALS = new Set(['date', 'time', 'timestamp', 'datetime']);

function refuseUnsupportedTokens(tokens: ReturnType<typeof tokenizeForeign>, faults: FaultCollector): void {
  for (const [index, { kind, text, start, end }] of tokens.entries()) {
    // SQL Server reads the string in DATE '2016-01-31' as a column alias.
    const isTypedString =
      kind === 'word' && start < end && TYPED_LITERALS.has(text.toLowerCase()) && tokens[index + 1]?.kind === 'string';
    if (isTypedString) faults.add('syntax', `Write cast(… as ${text.toLowerCase()}).`, { offset: start });
    // svc refuses names with full-width letters, because a collation can treat them as equal to the normal letters.
    if (kind === 'identifier' && text.normalize('NFKC') !== text)
      faults.add(
        'identifier',
        `The name "${text.slice(0, 40)}" contains variants of letters, such as full-width letters. Write the name with plain letters.`,
        {
          offset: start,
        },
      );
  }
}

function findUnsupportedConstruct(node: Node, isOutermost: boolean): string | null {
  switch (node.kind) {
    case 'select':
    case 'set':
      return (
        findUnsupportedTail(node, isOutermost) ??
        (node.kind === 'set' ? findUnsupportedSetOperation(node) : findUnsupportedSelectPart(node))
      );
    case 'join':
      return node.natural || node.using.length > 0 ? 'NATURAL JOIN or USING' : null;
    case 'literal':
      return node.type === 'boolean' ? 'TRUE or FALSE' : null;
    case 'row':
      return 'A row of values';
    case 'interval':
      return 'An INTERVAL';
    case 'arithmetic':
      return node.left === null && node.operator !== '-' ? 'A plus sign' : null;
    default:
      return null;
  }
}

function findUnsupportedTail({ with: common, orderBy, limit, offset }: Query, isOutermost: boolean): string | null {
  if (offset && orderBy.length === 0) return 'OFFSET without ORDER BY';
  if (isOutermost) return null;
  if (common) return 'WITH inside another query';
  return orderBy.length > 0 && !limit && !offset ? 'ORDER BY in a subquery without TOP or OFFSET' : null;
}
const findUnsupportedSetOperation = ({ all, operator }: Extract<Query, { kind: 'set' }>): string | null =>
  all && operator !== 'union' ? `${operator.toUpperCase()} ALL` : null;

function findUnsupportedSelectPart({ groupBy, windows }: Extract<Query, { kind: 'select' }>): string | null {
  if (windows.length > 0) return 'WINDOW';
  return groupBy?.keys.some(({ kind }) => kind === 'literal' || kind === 'parameter') ? 'GROUP BY a constant' : null;
}

function checkConditions(query: Query, refuse: (construct: string) => void): void {
  // To parse a condition of a lens, svc writes it after SELECT. svc never runs that statement.
  const selectedValues =
    query.kind === 'select' && query.from.length === 0 ? query.items.map(({ value }) => value) : [];
  const checkedNodes = new Set<Node>(selectedValues);
  for (const node of listNodes(query)) {
    for (const condition of listConditions(node)) {
      if (!condition) continue;
      checkedNodes.add(condition);
      if (!isCondition(condition)) refuse('A value where a condition is needed (write x = 1)');
    }
    if (isCondition(node) && !checkedNodes.has(node))
      refuse('A condition where a value is needed (write CASE WHEN … THEN 1 ELSE 0 END)');
  }
}

/** Removes the SELECT that svc writes around a set operation with a limit. */
const unwrapLimitedSetOperation = (query: Query): Query =>
  replaceNodes(query, (node) => {
    if (node.kind !== 'select' || !node.limit) return null;
    const [item, from] = [node.items[0], node.from[0]];
    const selectsAll = item?.value.kind === 'star' && item.value.qualifier.length === 0 && node.items.length === 1;
    if (!selectsAll || from?.kind !== 'derived' || from.query.kind !== 'set' || from.alias !== ALL_ROWS_ALIAS)
      return null;
    if (node.from.length > 1 || node.where || node.groupBy || node.having || node.distinct) return null;
    const { with: common, orderBy, limit, offset, at } = node;
    return { ...unwrapLimitedSetOperation(from.query), with: common, orderBy, limit, offset, at };
  });
