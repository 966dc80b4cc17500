// One expression of a lens in DuckDB.

import type { Faults } from '../../dialects/faults.ts';
import { asList, asNode, asText } from '../ast.ts';
import { type ExpressionReading, PREFIX } from '../expression-reading.ts';
import { walkExpression } from '../walk.ts';
import { DUCKDB_FUNCTIONS } from './functions.ts';
import { pathOf } from './nodes.ts';
import { parseDuckdb } from './parse.ts';
import { duckdbWalk } from './walker.ts';

const NULL = { type: { id: 'NULL', type_info: null }, is_null: true };

export async function readDuckdbExpression(sql: string, faults: Faults): Promise<ExpressionReading> {
  const node = asNode((await parseDuckdb(`${PREFIX}${sql}\n`, faults))?.['node']);
  const list = asList(node['select_list']).map(asNode);
  const [item] = list;
  const plain =
    asNode(node['from_table'])['type'] === 'EMPTY' &&
    asList(node['modifiers']).length === 0 &&
    ['where_clause', 'having', 'qualify', 'sample'].every((key) => !node[key]) &&
    asList(node['group_expressions']).length === 0 &&
    node['aggregate_handling'] === 'STANDARD_HANDLING';
  const root = plain && list.length === 1 && item && asText(item['alias']) === '' ? item : null;
  return {
    root: root?.['class'] === 'STAR' ? null : root,
    curated: DUCKDB_FUNCTIONS,
    call: (value) => {
      const call = asNode(value);
      const windowed = call['class'] === 'WINDOW';
      if (call['class'] !== 'FUNCTION' && !windowed) return null;
      const orders = asList(asNode(call['order_bys'])['orders']);
      return {
        name: asText(call['function_name']).toLowerCase(),
        distinct: call['distinct'] === true,
        windowed,
        args: [...asList(call['children']), ...orders],
      };
    },
    column: (value) => pathOf(asNode(value)),
    nothing: { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: NULL },
    walk: (analysis) => walkExpression(duckdbWalk(analysis, 0), root),
  };
}
