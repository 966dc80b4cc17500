import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import { callOf, derivedOf, joinOf, tableOf } from '../../../dialects/make-nodes.ts';
import type { Call, FromItem, Join, TableCall } from '../../../dialects/tree.ts';
import {
  type ReadContext,
  readPosition,
  refuseConstruct,
  refuseOtherFields,
  toTextList,
  toTextOrNull,
  toWordSet,
} from './native.ts';

const createFieldSet = (names: string) => toWordSet(`type alias sample query_location ${names}`);
const TABLE_FIELDS = createFieldSet('schema_name table_name column_name_alias catalog_name at_clause');
const SUBQUERY_FIELDS = createFieldSet('subquery column_name_alias');
const FUNCTION_FIELDS = createFieldSet('function column_name_alias with_ordinality');
const JOIN_FIELDS = createFieldSet(
  'left right condition join_type ref_type using_columns delim_flipped duplicate_eliminated_columns',
);
const SUBQUERY_STATEMENT_FIELDS = toWordSet('node named_param_map');

const JOIN_KINDS = new Map<string, Join['how']>([
  ['REGULAR INNER', 'inner'],
  ['REGULAR LEFT', 'left'],
  ['REGULAR RIGHT', 'right'],
  ['REGULAR FULL', 'full'],
  ['REGULAR SEMI', 'semi'],
  ['REGULAR ANTI', 'anti'],
  ['CROSS INNER', 'cross'],
  ['ASOF INNER', 'asof'],
  ['ASOF LEFT', 'asof_left'],
  ['ASOF RIGHT', 'asof_right'],
  ['ASOF FULL', 'asof_full'],
  ['ASOF SEMI', 'asof_semi'],
  ['ASOF ANTI', 'asof_anti'],
]);

export function readFromClause(reading: ReadContext, value: unknown): FromItem[] {
  return toAstNode(value)['type'] === 'EMPTY' ? [] : [readFromClauseItem(reading, toAstNode(value))];
}

function readFromClauseItem(reading: ReadContext, node: AstNode): FromItem {
  if (node['sample']) refuseConstruct(reading, 'TABLESAMPLE');
  const aliasFields = {
    alias: toTextOrNull(node['alias']),
    columns: toTextList(node['column_name_alias']),
    at: readPosition(node),
  };
  switch (node['type']) {
    case 'BASE_TABLE':
      refuseOtherFields(reading, 'A table', node, TABLE_FIELDS);
      if (node['at_clause']) refuseConstruct(reading, 'AT (…)');
      return tableOf(toTextOrEmpty(node['table_name']), {
        catalog: toTextOrNull(node['catalog_name']),
        schema: toTextOrNull(node['schema_name']),
        ...aliasFields,
      });
    case 'SUBQUERY': {
      refuseOtherFields(reading, 'A subquery', node, SUBQUERY_FIELDS);
      const subquery = toAstNode(node['subquery']);
      refuseOtherFields(reading, 'A subquery', subquery, SUBQUERY_STATEMENT_FIELDS);
      return derivedOf(reading.readQuery(subquery['node']), aliasFields.alias, aliasFields);
    }
    case 'TABLE_FUNCTION':
      return { ...readTableCall(reading, node), ...aliasFields };
    case 'JOIN':
      return readJoin(reading, node);
    default: {
      refuseConstruct(
        reading,
        node['type'] === 'SHOW_REF' ? 'DESCRIBE, SHOW or SUMMARIZE' : toTextOrEmpty(node['type']),
      );
      return { kind: 'table_call', calls: [], lateral: false, ordinality: false, ...aliasFields };
    }
  }
}

function readTableCall(reading: ReadContext, node: AstNode): Omit<TableCall, 'alias' | 'columns' | 'at'> {
  refuseOtherFields(reading, 'A function in FROM', node, FUNCTION_FIELDS);
  const call = reading.readExpression(node['function']);
  if (call.kind !== 'call') refuseConstruct(reading, 'This function in FROM');
  const callNode: Call = call.kind === 'call' ? call : callOf('');
  const ordinality = node['with_ordinality'] !== 'WITHOUT_ORDINALITY';
  return { kind: 'table_call', calls: [callNode], lateral: false, ordinality };
}

function readJoin(reading: ReadContext, node: AstNode): Join {
  refuseOtherFields(reading, 'A join', node, JOIN_FIELDS);
  if (toTextOrEmpty(node['alias']) !== '') refuseConstruct(reading, 'An alias on a join');
  const [left, right] = [
    readFromClauseItem(reading, toAstNode(node['left'])),
    readFromClauseItem(reading, toAstNode(node['right'])),
  ];
  const [kind, type] = [toTextOrEmpty(node['ref_type']), toTextOrEmpty(node['join_type'])];
  const natural = kind === 'NATURAL';
  const how = JOIN_KINDS.get(`${natural ? 'REGULAR' : kind} ${type === 'OUTER' ? 'FULL' : type}`);
  if (how === undefined) refuseConstruct(reading, `A ${kind} join`);
  const using = toTextList(node['using_columns']);
  const on = isAstNode(node['condition']) ? reading.readExpression(node['condition']) : null;
  const conditionCount = Number(natural || how === 'cross') + Number(using.length > 0) + Number(on !== null);
  const isGenerated = node['delim_flipped'] === true || toList(node['duplicate_eliminated_columns']).length > 0;
  if (conditionCount !== 1 || isGenerated) refuseConstruct(reading, 'This form of join');
  return joinOf(how ?? 'inner', left, right, { natural, using, on, at: readPosition(node) });
}
