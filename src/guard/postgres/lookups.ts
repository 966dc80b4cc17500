// Conditions by which rows are looked up, put beneath the fence of a row policy as well: a key compared with constants of
// its own type can't fail on any row, and without it every row would be read for one. Above the fence it stays as written.
import { type AstNode, asList, asNode, isNode } from '../ast.ts';
import type { NameScope, Source } from '../name-scope.ts';
import { columnPath, stringsOf, unwrap } from './nodes.ts';

export function noteLookups(where: unknown, scope: NameScope): void {
  const { kind, data } = unwrap(where);
  if (kind === 'BoolExpr' && data['boolop'] === 'AND_EXPR') {
    for (const part of asList(data['args'])) noteLookups(part, scope);
    return;
  }
  if (kind !== 'A_Expr' || !['AEXPR_OP', 'AEXPR_IN'].includes(String(data['kind']))) return;
  if (stringsOf(data['name']).join('.') !== '=') return;
  const found = keyOf(data['lexpr'], scope);
  if (!found || !isOf(found.datatype, data['rexpr'])) return;
  const { source, name } = found;
  const fields = [source.relation!.dataset, name].map((sval) => ({ String: { sval } }));
  source.lookups.push({ A_Expr: structuredClone({ ...data, lexpr: { ColumnRef: { fields } } }) });
}

/** The key that a bare column is; only one source of this very FROM may have a column of that name. */
function keyOf(expression: unknown, { sources }: NameScope): { source: Source; name: string; datatype: string } | null {
  const path = columnPath(expression);
  if (!path || path.star || path.parts.length > 2) return null;
  const name = path.parts.at(-1)!;
  const named = path.parts.length === 2 ? sources.filter(({ alias }) => alias === path.parts[0]) : sources;
  const [source, ...others] = named.filter(({ columns }) => columns.some((column) => column.name === name));
  const datatype = source?.relation?.lookups?.[name];
  if (!source || others.length > 0 || source.uses.renamed || datatype === undefined) return null;
  return { source, name, datatype };
}

function isOf(datatype: string, value: unknown): boolean {
  const { kind, data } = unwrap(value);
  if (kind === 'List') return asList(data['items']).every((item) => isOf(datatype, item));
  return kind === 'A_Const' && isNode(data[datatype === 'integer' ? 'ival' : 'sval']);
}

/** The body of a relation with the conditions noted of its source. */
export function lookedUp(body: AstNode, { lookups }: Source): AstNode {
  if (lookups.length === 0) return body;
  const own = structuredClone(body);
  const select = asNode(own['larg']); // the other half of the fence has no rows
  const { kind, data } = unwrap(select['whereClause']);
  const args = kind === 'BoolExpr' && data['boolop'] === 'AND_EXPR' ? asList(data['args']) : [select['whereClause']];
  select['whereClause'] = { BoolExpr: { boolop: 'AND_EXPR', args: [...args, ...lookups] } };
  return own;
}
