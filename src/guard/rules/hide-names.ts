// Hides the name of a table with an alias where the engine keeps that name visible. There the guard turns the table
// into a subquery; otherwise the name of an outer table would mean the inner table. An output like `t.a` gets the alias
// `a`, because such engines include the table in the output's name if several tables have the column.
import { derivedOf, selectOf, starOf } from '../../dialects/make-nodes.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { FromItem, Item, Query } from '../../dialects/tree.ts';

export function hideNames(query: Query): Query {
  const found = structuredClone(query);
  for (const node of [...nodesIn(found)]) {
    if (node.kind === 'select') {
      node.from = node.from.map(hideTableName);
      node.items = node.items.map(withColumnAlias);
    }
    if (node.kind !== 'join') continue;
    node.left = hideTableName(node.left);
    node.right = hideTableName(node.right);
  }
  return found;
}

function hideTableName(item: FromItem): FromItem {
  if (item.kind !== 'table' || item.alias === null || item.alias === item.name) return item;
  const { alias, columns } = item;
  const rows = selectOf([{ value: starOf(), alias: null }], [{ ...item, alias: null, columns: [] }]);
  return derivedOf(rows, alias, { columns });
}

const withColumnAlias = (item: Item): Item =>
  item.alias === null && item.value.kind === 'column' && item.value.path.length > 1
    ? { ...item, alias: item.value.path.at(-1)! }
    : item;
