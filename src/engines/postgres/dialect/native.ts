// Parses statements with PostgreSQL's own parser. svc checks the shape of each node, because it doesn't trust the
// parser's output.
import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import type { TypeName } from '../../../dialects/tree.ts';

async function loadParser(): Promise<(sql: string) => unknown> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return parseSync;
}
let loadedParser: ReturnType<typeof loadParser> | undefined;

/** Returns the syntax tree of a SELECT. Returns null and reports errors for any other SQL. */
export async function parsePostgres(sql: string, faults: FaultCollector): Promise<AstNode | null> {
  loadedParser ??= loadParser();
  const parse = await loadedParser;
  let statements: unknown[];
  try {
    statements = toList(toAstNode(parse(sql))['stmts']);
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { cursorPosition: number } };
    const reason = error instanceof RangeError ? 'it is nested too deeply' : message;
    faults.add('syntax', `The SQL can't be parsed: ${reason}.`, { offset: sqlDetails?.cursorPosition ?? 0 });
    return null;
  }
  if (statements.length !== 1) {
    faults.add('one_statement', `Only one SELECT is allowed, but the SQL contains ${statements.length} statements.`);
  }
  const kinds = statements.map((statement) => unwrapNode(toAstNode(statement)['stmt']));
  for (const { kind } of kinds) {
    if (kind === 'SelectStmt') continue;
    faults.add('not_select', `${kind.replace(/Stmt$/, '') || 'This'} is not a SELECT. Only SELECT is allowed.`);
  }
  return faults.list.length > 0 ? null : kinds[0]!.data;
}

/** Splits `{Kind: {…}}`. Returns an empty `kind` for other values. */
export function unwrapNode(value: unknown): { kind: string; data: AstNode } {
  if (!isAstNode(value)) return { kind: '', data: {} };
  const [kind, ...otherKeys] = Object.keys(value);
  if (kind === undefined || otherKeys.length > 0) return { kind: '', data: {} };
  return { kind, data: toAstNode(value[kind]) };
}

export const readStrings = (list: unknown): string[] =>
  toList(list).map((item) => {
    const { kind, data } = unwrapNode(item);
    return kind === 'String' ? toTextOrEmpty(data['sval']) : '';
  });

/** Returns the position of a node. The parser omits the position of a node at offset 0. */
export function readPosition(data: AstNode): number | null {
  const position = Number(data['location'] ?? 0);
  return position < 0 ? null : position;
}

export function refuseOtherFields(
  faults: FaultCollector,
  construct: string,
  node: AstNode,
  allowedFields: string,
): void {
  const allowedNames = allowedFields.split(' ');
  for (const field of Object.keys(node))
    if (!allowedNames.includes(field)) refuseConstruct(faults, `${construct} with ${field}`);
}

export function refuseConstruct(faults: FaultCollector, construct: string): void {
  faults.add('construct', `${construct} is not allowed here.`);
}

/** Returns a type, without its schema if the type is built in. */
export function readType(faults: FaultCollector, data: AstNode): TypeName {
  refuseOtherFields(faults, 'A type', data, 'names typmods typemod arrayBounds location');
  const path = readStrings(data['names']);
  const isBuiltIn = path.length === 2 && path[0] === 'pg_catalog';
  const modifiers = toList(data['typmods']).map((modifier) => {
    const number = toAstNode(unwrapNode(modifier).data['ival'])['ival'];
    if (unwrapNode(modifier).kind !== 'A_Const' || !isAstNode(unwrapNode(modifier).data['ival']))
      refuseConstruct(faults, 'A type modifier that is not a number');
    return String(Number(number ?? 0));
  });
  const dimensions = toList(data['arrayBounds']).map((bound) => {
    const size = Number(unwrapNode(bound).data['ival'] ?? 0);
    return size < 0 ? null : size;
  });
  return { name: isBuiltIn ? path[1]! : path.join('.'), modifiers, dimensions, fields: [] };
}
