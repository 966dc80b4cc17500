// Reads FROM: tables, subqueries, functions and joins. VALUES is a query.

import { type AstNode, asList, asNode, asText, isNode } from '../../../dialects/ast.ts';
import { callOf, derivedOf, joinOf, tableOf } from '../../../dialects/make-nodes.ts';
import type { Call, FromItem, Join, TableCall } from '../../../dialects/tree.ts';
import { asTexts, onlyFields, placeOf, type Reading, refuse, textOrNull, words } from './native.ts';

const fields = (more: string) => words(`type alias sample query_location ${more}`);
const TABLE_FIELDS = fields('schema_name table_name column_name_alias catalog_name at_clause');
const SUBQUERY_FIELDS = fields('subquery column_name_alias');
const FUNCTION_FIELDS = fields('function column_name_alias with_ordinality');
const JOIN_FIELDS = fields(
  'left right condition join_type ref_type using_columns delim_flipped duplicate_eliminated_columns',
);
const HOLDER_FIELDS = words('node named_param_map');

const JOINS = new Map<string, Join['how']>([
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

export function readFrom(reading: Reading, value: unknown): FromItem[] {
  return asNode(value)['type'] === 'EMPTY' ? [] : [fromItem(reading, asNode(value))];
}

function fromItem(reading: Reading, node: AstNode): FromItem {
  if (node['sample']) refuse(reading, 'TABLESAMPLE');
  const aliasFields = {
    alias: textOrNull(node['alias']),
    columns: asTexts(node['column_name_alias']),
    at: placeOf(node),
  };
  switch (node['type']) {
    case 'BASE_TABLE':
      onlyFields(reading, 'A table', node, TABLE_FIELDS);
      if (node['at_clause']) refuse(reading, 'AT (…)');
      return tableOf(asText(node['table_name']), {
        catalog: textOrNull(node['catalog_name']),
        schema: textOrNull(node['schema_name']),
        ...aliasFields,
      });
    case 'SUBQUERY': {
      onlyFields(reading, 'A subquery', node, SUBQUERY_FIELDS);
      const subquery = asNode(node['subquery']);
      onlyFields(reading, 'A subquery', subquery, HOLDER_FIELDS);
      return derivedOf(reading.query(subquery['node']), aliasFields.alias, aliasFields);
    }
    case 'TABLE_FUNCTION':
      return { ...tableCall(reading, node), ...aliasFields };
    case 'JOIN':
      return join(reading, node);
    default: {
      refuse(reading, node['type'] === 'SHOW_REF' ? 'DESCRIBE, SHOW or SUMMARIZE' : asText(node['type']));
      return { kind: 'table_call', calls: [], lateral: false, ordinality: false, ...aliasFields };
    }
  }
}

function tableCall(reading: Reading, node: AstNode): Omit<TableCall, 'alias' | 'columns' | 'at'> {
  onlyFields(reading, 'A function in FROM', node, FUNCTION_FIELDS);
  const native = asNode(node['function']);
  const call = reading.expression(native);
  if (call.kind !== 'call') refuse(reading, 'This function in FROM');
  const called: Call = call.kind === 'call' ? call : callOf('', [], { at: placeOf(native) });
  const ordinality = node['with_ordinality'] !== 'WITHOUT_ORDINALITY';
  return { kind: 'table_call', calls: [called], lateral: false, ordinality };
}

function join(reading: Reading, node: AstNode): Join {
  onlyFields(reading, 'A join', node, JOIN_FIELDS);
  if (asText(node['alias']) !== '') refuse(reading, 'An alias on a join');
  const [left, right] = [fromItem(reading, asNode(node['left'])), fromItem(reading, asNode(node['right']))];
  const [kind, type] = [asText(node['ref_type']), asText(node['join_type'])];
  const natural = kind === 'NATURAL';
  const how = JOINS.get(`${natural ? 'REGULAR' : kind} ${type === 'OUTER' ? 'FULL' : type}`);
  if (how === undefined) refuse(reading, `A ${kind} join`);
  const using = asTexts(node['using_columns']);
  const on = isNode(node['condition']) ? reading.expression(node['condition']) : null;
  const conditionCount = Number(natural || how === 'cross') + Number(using.length > 0) + Number(on !== null);
  const isGenerated = node['delim_flipped'] === true || asList(node['duplicate_eliminated_columns']).length > 0;
  if (conditionCount !== 1 || isGenerated) refuse(reading, 'A join like this');
  return joinOf(how ?? 'inner', left, right, { natural, using, on, at: placeOf(node) });
}
