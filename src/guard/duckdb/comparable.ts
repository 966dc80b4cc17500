// The same statement has the same text here, however DuckDB has written and read it again.
import { type AstNode, asList, asNode, isNode, shapeOf } from '../ast.ts';

const PLACES = new Set(['query_location']);

export const comparable = (tree: unknown): string => shapeOf(unwrapValues(tree), PLACES);

/** DuckDB writes VALUES in FROM as `(VALUES …) AS valueslist` and reads that as `SELECT * FROM VALUES …` in brackets. */
function unwrapValues(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(unwrapValues);
  if (!isNode(tree)) return tree;
  const inner = Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, unwrapValues(value)]));
  const select = asNode(asNode(inner['subquery'])['node']);
  const values = asNode(select['from_table']);
  const wrapped =
    inner['type'] === 'SUBQUERY' &&
    inner['alias'] === 'valueslist' &&
    asList(inner['column_name_alias']).length === 0 &&
    values['type'] === 'EXPRESSION_LIST' &&
    isPlainStar(select);
  return wrapped ? values : inner;
}

/** `SELECT * FROM …` and nothing else. */
function isPlainStar(select: AstNode): boolean {
  const [star, ...others] = asList(select['select_list']).map(asNode);
  return (
    star?.['class'] === 'STAR' &&
    others.length === 0 &&
    [star['relation_name'], star['alias']].every((text) => text === '') &&
    star['columns'] === false &&
    [star['exclude_list'], star['replace_list'], star['rename_list'], star['qualified_exclude_list']].every(
      (list) => asList(list).length === 0,
    ) &&
    [select['where_clause'], select['having'], select['qualify'], select['sample'], star['expr']].every(
      (part) => !part,
    ) &&
    [select['modifiers'], select['group_expressions'], asNode(select['cte_map'])['map']].every(
      (list) => asList(list).length === 0,
    )
  );
}
