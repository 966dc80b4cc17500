// Postgres: the server's own parser; what runs is deparsed from the rewritten tree and must parse back to that very tree.
import { LRUCache } from 'lru-cache';
import { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, isNode, shapeOf } from '../ast.ts';
import type { Examined } from '../examined.ts';
import { Faults, unusableBody } from '../faults.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { POSTGRES_FUNCTIONS } from './functions.ts';
import { constantOf, unwrap } from './nodes.ts';
import { PostgresWalker } from './walker.ts';

const PLACES = new Set([
  'location',
  'stmt_location',
  'stmt_len',
  'list_start',
  'list_end',
  'rexpr_list_start',
  'rexpr_list_end',
]);
const bodies = new LRUCache<string, AstNode>({ max: 500 });

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

export async function examinePostgres(
  sql: string,
  parameters: number,
  scope: GuardScope,
  faults: Faults,
): Promise<Examined | null> {
  const select = await parsePostgres(sql, faults);
  if (!select) return null;
  const analysis = new Analysis(scope, POSTGRES_FUNCTIONS, faults);
  const outputs = new PostgresWalker(analysis, parameters).statement(select);
  return {
    analysis,
    outputs,
    ordered: asList(select['sortClause']).length > 0,
    rewrite: (maxRows) => rewrite(select, analysis, maxRows, faults),
  };
}

async function rewrite(select: AstNode, analysis: Analysis, maxRows: number | null, faults: Faults): Promise<string> {
  for (const { body, replace } of analysis.replacements()) replace(await parseBody(body, analysis, faults));
  if (maxRows !== null) setLimit(select, maxRows, faults);
  if (faults.list.length > 0) return '';
  const { deparseSelect } = await import('./deparse-select.ts');
  try {
    const text = deparseSelect(select);
    const again = await parsePostgres(text, new Faults());
    if (again && shapeOf(again, PLACES) === shapeOf(select, PLACES)) return text;
  } catch {
    // Falls through: a tree that can't be written is refused like one that reads differently.
  }
  faults.add(
    'rewrite',
    "The statement can't be rewritten faithfully with the row policies; write it in a plainer way.",
  );
  return '';
}

/** A CTE named like a table inside a body would stand in for it (G11), so such a name is refused. */
async function parseBody(body: string, analysis: Analysis, faults: Faults): Promise<AstNode> {
  let parsed: AstNode | null | undefined = bodies.get(body);
  if (!parsed) {
    const wrong = new Faults();
    parsed = await parsePostgres(body, wrong);
    if (!parsed) throw unusableBody(wrong);
    bodies.set(body, parsed);
  }
  for (const name of unqualifiedTables(parsed)) {
    if (analysis.cteNames.has(name)) faults.add('cte_name', `Rename ${name} in WITH: it hides a governed table.`);
  }
  return parsed;
}

function* unqualifiedTables(tree: unknown): Generator<string> {
  if (Array.isArray(tree)) for (const one of tree) yield* unqualifiedTables(one);
  else if (isNode(tree)) {
    for (const [key, value] of Object.entries(tree)) {
      if (key === 'RangeVar' && asNode(value)['schemaname'] === undefined) yield String(asNode(value)['relname']);
      yield* unqualifiedTables(value);
    }
  }
}

/** One row more than the cap, so that a cut shows; the statement's own smaller LIMIT stays. */
function setLimit(select: AstNode, maxRows: number, faults: Faults): void {
  const cap = { A_Const: { ival: { ival: maxRows + 1 } } };
  if (select['limitOption'] === 'LIMIT_OPTION_WITH_TIES') {
    faults.add('limit', 'FETCH … WITH TIES is not allowed; use rank() in a subquery.');
    return;
  }
  const own = constantOf(select['limitCount']);
  if (typeof own === 'number' && own <= maxRows) return;
  const free = select['limitCount'] === undefined || (own !== undefined && typeof own !== 'string');
  select['limitCount'] = free ? cap : { MinMaxExpr: { op: 'IS_LEAST', args: [select['limitCount'], cap] } };
  select['limitOption'] = 'LIMIT_OPTION_COUNT';
}
