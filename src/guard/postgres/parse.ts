// The server's own parser, as a library.

import type { Faults } from '../../dialects/faults.ts';
import { type AstNode, asList, asNode } from '../ast.ts';
import { unwrap } from './nodes.ts';

async function parser(): Promise<(sql: string) => unknown> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return parseSync;
}
let loaded: ReturnType<typeof parser> | undefined;

/** The one SELECT that the text is; null with faults otherwise. */
export async function parsePostgres(sql: string, faults: Faults): Promise<AstNode | null> {
  loaded ??= parser();
  const parse = await loaded;
  let statements: unknown[];
  try {
    statements = asList(asNode(parse(sql))['stmts']);
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { cursorPosition: number } };
    const why = error instanceof RangeError ? 'it nests too deeply' : message;
    faults.add('syntax', `The SQL can't be parsed: ${why}.`, { offset: sqlDetails?.cursorPosition ?? 0 });
    return null;
  }
  if (statements.length !== 1) {
    faults.add('one_statement', `One SELECT is expected; the text holds ${statements.length} statements.`);
  }
  for (const statement of statements) {
    const { kind } = unwrap(asNode(statement)['stmt']);
    if (kind !== 'SelectStmt') {
      faults.add('not_select', `${kind.replace(/Stmt$/, '') || 'This'} is not a SELECT; only reading is allowed.`);
    }
  }
  if (faults.list.length > 0) return null;
  return unwrap(asNode(statements[0])['stmt']).data;
}
