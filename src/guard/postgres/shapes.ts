// Node kinds of the Postgres parser that need no rule of their own, with every field they may have.
// plain: a scalar; node: wrapped node(s) `{Kind: {…}}`; a name: one unwrapped node of that kind.
// A kind or a field that is not here (and has no rule in the walker) is refused: deny by default.

export type FieldShape = 'plain' | 'node' | (string & {});

const expression = { location: 'plain' } as const;
const json = { output: 'JsonOutput', location: 'plain' } as const;

export const POSTGRES_SHAPES: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  BoolExpr: { ...expression, boolop: 'plain', args: 'node' },
  NullTest: { ...expression, arg: 'node', nulltesttype: 'plain', argisrow: 'plain' },
  BooleanTest: { ...expression, arg: 'node', booltesttype: 'plain' },
  CaseExpr: { ...expression, arg: 'node', args: 'node', defresult: 'node' },
  CaseWhen: { ...expression, expr: 'node', result: 'node' },
  CoalesceExpr: { ...expression, args: 'node' },
  MinMaxExpr: { ...expression, op: 'plain', args: 'node' },
  TypeCast: { ...expression, arg: 'node', typeName: 'TypeName' },
  A_ArrayExpr: { ...expression, elements: 'node', list_start: 'plain', list_end: 'plain' },
  A_Indices: { is_slice: 'plain', lidx: 'node', uidx: 'node' },
  RowExpr: { ...expression, args: 'node', row_format: 'plain' },
  NamedArgExpr: { ...expression, arg: 'node', name: 'plain', argnumber: 'plain' },
  GroupingFunc: { ...expression, args: 'node' },
  GroupingSet: { ...expression, kind: 'plain', content: 'node' },
  WindowDef: {
    ...expression,
    name: 'plain',
    refname: 'plain',
    partitionClause: 'node',
    orderClause: 'node',
    frameOptions: 'plain',
    startOffset: 'node',
    endOffset: 'node',
  },
  List: { items: 'node' },
  Integer: { ival: 'plain' },
  JsonOutput: { typeName: 'TypeName', returning: 'JsonReturning' },
  JsonReturning: { format: 'JsonFormat' },
  JsonFormat: { ...expression, format_type: 'plain', encoding: 'plain' },
  JsonValueExpr: { raw_expr: 'node', format: 'JsonFormat' },
  JsonKeyValue: { key: 'node', value: 'JsonValueExpr' },
  JsonAggConstructor: { ...json, agg_filter: 'node', agg_order: 'node', over: 'WindowDef' },
  JsonArrayAgg: { constructor: 'JsonAggConstructor', arg: 'JsonValueExpr', absent_on_null: 'plain' },
  JsonObjectAgg: {
    constructor: 'JsonAggConstructor',
    arg: 'JsonKeyValue',
    absent_on_null: 'plain',
    unique: 'plain',
  },
  JsonArrayConstructor: { ...json, exprs: 'node', absent_on_null: 'plain' },
  JsonObjectConstructor: { ...json, exprs: 'node', absent_on_null: 'plain', unique: 'plain' },
  JsonIsPredicate: { ...expression, expr: 'node', format: 'JsonFormat', item_type: 'plain', unique_keys: 'plain' },
};
