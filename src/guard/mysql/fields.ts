// What nodes of the parser may hold, besides those of shapes.ts; empty fields and what changes no meaning are let through.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asNode, asText } from '../ast.ts';
import { words } from '../walk.ts';
import { isEmpty, UNMEANT } from './shapes.ts';

export const SET_OPERATIONS = ['union', 'except', 'intersect'];

const FIELDS: Readonly<Record<string, string>> = {
  select: 'expressions from joins where_clause group_by having order_by limit offset distinct with windows',
  set: 'left right all order_by limit offset with',
  subquery: 'this alias',
  table: 'name schema alias',
  joined_table: 'left joins',
  join: 'this on using kind',
  from: 'expressions',
  group_by: 'expressions',
  condition: 'this',
  order: 'expressions',
  ordered: 'this desc',
  with: 'ctes recursive',
  cte: 'alias this columns',
  alias: 'this alias',
  column: 'name table schema',
  identifier: 'name',
  star: 'table',
  literal: 'literal_type value',
  boolean: 'value',
  placeholder: '',
  like: 'left right escape',
  in: 'this expressions query not',
  tuple: 'expressions',
  case: 'operand whens else_',
  cast: 'this to',
  collation: 'this collation',
  extract: 'this field',
  interval: 'this unit',
  unit: 'type unit',
  function: 'name args distinct known unit no_parens',
  group_concat: 'this order_by separator distinct',
  window_function: 'this over',
  over: 'window_name partition_by order_by frame',
  frame: 'kind start end',
  window: 'name spec',
};
const KNOWN = new Map(Object.entries(FIELDS).map(([kind, fields]) => [kind, words(fields)]));

export const isKnownKind = (kind: string): boolean => KNOWN.has(kind);

/** `{kind: {…}}` taken apart; empty, with a fault, when it is no such node. */
export function take(analysis: Analysis, node: AstNode): [string, AstNode] {
  const [kind, ...others] = Object.keys(node);
  if (kind === undefined || others.length > 0) {
    analysis.construct('This construct');
    return ['', {}];
  }
  return [kind, asNode(node[kind])];
}

export function onlyFieldsOf(analysis: Analysis, kind: string, what: string, data: AstNode): void {
  onlyThese(analysis, what, data, KNOWN.get(kind)!);
}

export function onlyThese(analysis: Analysis, what: string, data: AstNode, known: ReadonlySet<string>): void {
  for (const [field, value] of Object.entries(data)) {
    if (known.has(field) || UNMEANT.has(field) || isEmpty(value)) continue;
    if (field === 'into') analysis.faults.add('into', 'SELECT … INTO is not allowed.');
    else if (field === 'locks') analysis.faults.add('locking', 'FOR UPDATE and FOR SHARE are not allowed.');
    else analysis.construct(`${what} with ${field.replaceAll('_', ' ')}`);
  }
}

/** The text of an identifier. */
export function nameIn(analysis: Analysis, identifier: unknown): string {
  const node = asNode(identifier);
  onlyFieldsOf(analysis, 'identifier', 'A name', node);
  const name = asText(node['name']);
  analysis.identifier(name);
  if (name === '') analysis.construct('An empty name');
  return name;
}
