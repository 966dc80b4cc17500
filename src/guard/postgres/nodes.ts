// Small readings of single Postgres parse nodes.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';

/** `{Kind: {…}}` taken apart; kind is empty when it is no wrapped node. */
export function unwrap(value: unknown): { kind: string; data: AstNode } {
  if (!isNode(value)) return { kind: '', data: {} };
  const [kind, ...others] = Object.keys(value);
  if (kind === undefined || others.length > 0) return { kind: '', data: {} };
  return { kind, data: asNode(value[kind]) };
}

export const stringsOf = (list: unknown): string[] =>
  asList(list).map((one) => {
    const { kind, data } = unwrap(one);
    return kind === 'String' ? asText(data['sval']) : '';
  });

/** The path of a column reference; null for every other node. */
export function columnPath(wrapped: unknown): { parts: string[]; star: boolean } | null {
  const { kind, data } = unwrap(wrapped);
  if (kind !== 'ColumnRef') return null;
  const fields = asList(data['fields']);
  const star = unwrap(fields.at(-1)).kind === 'A_Star';
  return { parts: stringsOf(star ? fields.slice(0, -1) : fields), star };
}

/** The value of a constant, through casts; undefined for every other node. Big numbers stay text. */
export function constantOf(wrapped: unknown): string | number | boolean | null | undefined {
  const { kind, data } = unwrap(wrapped);
  if (kind === 'TypeCast') return constantOf(data['arg']);
  if (kind !== 'A_Const') return undefined;
  if (data['isnull'] === true) return null;
  if (isNode(data['ival'])) return Number(data['ival']['ival'] ?? 0);
  if (isNode(data['boolval'])) return data['boolval']['boolval'] === true;
  if (isNode(data['sval'])) return asText(data['sval']['sval']);
  if (isNode(data['fval'])) return asText(data['fval']['fval']);
  return undefined;
}

/** The name Postgres gives an output column. */
export function outputName(target: unknown): string {
  const { data } = unwrap(target);
  return typeof data['name'] === 'string' ? data['name'] : (figureName(data['val']) ?? '?column?');
}

const FIXED: Readonly<Record<string, string>> = {
  CoalesceExpr: 'coalesce',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  GroupingFunc: 'grouping',
  JsonArrayAgg: 'json_arrayagg',
  JsonObjectAgg: 'json_objectagg',
  JsonArrayConstructor: 'json_array',
  JsonObjectConstructor: 'json_object',
};

function figureName(value: unknown): string | null {
  const { kind, data } = unwrap(value);
  switch (kind) {
    case 'ColumnRef':
      return stringsOf(data['fields']).at(-1) ?? null;
    case 'FuncCall':
      return stringsOf(data['funcname']).at(-1) ?? null;
    case 'A_Indirection':
    case 'CollateClause':
      return figureName(data['arg']);
    case 'A_Expr':
      return data['kind'] === 'AEXPR_NULLIF' ? 'nullif' : null;
    case 'TypeCast':
      return figureName(data['arg']) ?? stringsOf(asNode(data['typeName'])['names']).at(-1) ?? null;
    case 'CaseExpr':
      return figureName(data['defresult']) ?? 'case';
    case 'MinMaxExpr':
      return data['op'] === 'IS_LEAST' ? 'least' : 'greatest';
    case 'SQLValueFunction':
      return asText(data['op']).replace('SVFOP_', '').replace(/_N$/, '').toLowerCase();
    case 'SubLink': {
      if (data['subLinkType'] === 'EXISTS_SUBLINK') return 'exists';
      if (data['subLinkType'] === 'ARRAY_SUBLINK') return 'array';
      const [first] = asList(unwrap(data['subselect']).data['targetList']);
      return data['subLinkType'] === 'EXPR_SUBLINK' && first !== undefined ? outputName(first) : null;
    }
    default:
      return FIXED[kind] ?? null;
  }
}
