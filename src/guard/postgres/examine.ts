// Postgres: the server's own parser; what runs is deparsed from the rewritten tree and must parse back to that very tree.

import { Faults } from '../../dialects/faults.ts';
import { POSTGRES_FUNCTIONS } from '../../dialects/postgres/functions.ts';
import { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, shapeOf } from '../ast.ts';
import type { Examined } from '../examined.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { GovernedBodies, rewriteGoverned } from '../rewrite-governed.ts';
import { walkStatement, words } from '../walk.ts';
import { constantOf } from './nodes.ts';
import { parsePostgres } from './parse.ts';
import { postgresWalk } from './walker.ts';

const PLACES = words('location stmt_location stmt_len list_start list_end rexpr_list_start rexpr_list_end');
const bodies = new GovernedBodies(parsePostgres, bareTable);

export async function examinePostgres(
  sql: string,
  parameters: number,
  scope: GuardScope,
  faults: Faults,
): Promise<Examined | null> {
  const select = await parsePostgres(sql, faults);
  if (!select) return null;
  const analysis = new Analysis(scope, POSTGRES_FUNCTIONS, faults);
  const outputs = walkStatement(postgresWalk(analysis, parameters), select);
  return {
    analysis,
    outputs,
    ordered: asList(select['sortClause']).length > 0,
    rewrite: (maxRows) =>
      rewriteGoverned(analysis, maxRows, {
        bodies,
        setLimit: (most) => setLimit(select, most, faults),
        write: () => write(select),
      }),
  };
}

/** The text of the tree, if it parses back to that very tree. */
async function write(select: AstNode): Promise<string | null> {
  const { deparseSelect } = await import('./deparse-select.ts');
  try {
    const text = deparseSelect(select);
    const again = await parsePostgres(text, new Faults());
    return again && shapeOf(again, PLACES) === shapeOf(select, PLACES) ? text : null;
  } catch {
    return null;
  }
}

function bareTable(node: AstNode): string | null {
  const table = asNode(node['RangeVar']);
  return isNode(node['RangeVar']) && table['schemaname'] === undefined ? asText(table['relname']) : null;
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
