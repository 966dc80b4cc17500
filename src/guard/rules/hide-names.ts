// Hides the name of a table that has an alias, in engines where the name stays visible. If it stayed visible, a
// reference to an outer table with the same name would mean the inner table.
import { derivedOf, selectOf, starOf } from '../../dialects/make-nodes.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { FromItem, Item, Query } from '../../dialects/tree.ts';

export function hideNames(query: Query): Query {
  const copy = structuredClone(query);
  for (const node of [...nodesIn(copy)]) {
    if (node.kind === 'select') {
      node.from = node.from.map(hideTableName);
      node.items = node.items.map(withColumnAlias);
    }
    if (node.kind !== 'join') continue;
    node.left = hideTableName(node.left);
    node.right = hideTableName(node.right);
  }
  return copy;
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
