// One expression of a lens in Postgres.

import type { Faults } from '../../dialects/faults.ts';
import { POSTGRES_FUNCTIONS } from '../../dialects/postgres/functions.ts';
import { asList, asNode } from '../ast.ts';
import { type ExpressionReading, PREFIX } from '../expression-reading.ts';
import { walkExpression } from '../walk.ts';
import { columnPath, stringsOf, unwrap } from './nodes.ts';
import { parsePostgres } from './parse.ts';
import { postgresWalk } from './walker.ts';

export async function readPostgresExpression(sql: string, faults: Faults): Promise<ExpressionReading> {
  const select = await parsePostgres(`${PREFIX}${sql}\n`, faults);
  const target = unwrap(asList(select?.['targetList'])[0]).data;
  const only = ['targetList', 'limitOption', 'op'];
  const single =
    select !== null &&
    asList(select['targetList']).length === 1 &&
    target['name'] === undefined &&
    Object.keys(select).every((key) => only.includes(key)) &&
    !columnPath(target['val'])?.star;
  const root = single ? asNode(target['val']) : null;
  return {
    root,
    curated: POSTGRES_FUNCTIONS,
    call: (node) => {
      const { kind, data } = unwrap(node);
      if (kind !== 'FuncCall') return null;
      return {
        name: stringsOf(data['funcname']).at(-1) ?? '',
        distinct: data['agg_distinct'] === true,
        windowed: data['over'] !== undefined,
        args: [...asList(data['args']), ...asList(data['agg_order'])],
      };
    },
    column: (node) => columnPath(node)?.parts ?? null,
    nothing: { A_Const: { isnull: true } },
    walk: (analysis) => walkExpression(postgresWalk(analysis, 0), root),
  };
}
