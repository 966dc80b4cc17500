// One expression of a lens in MySQL.

import type { Faults } from '../../dialects/faults.ts';
import { asList, asNode, asText, isNode } from '../ast.ts';
import { type ExpressionReading, PREFIX } from '../expression-reading.ts';
import { walkExpression } from '../walk.ts';
import { MYSQL_FUNCTIONS } from '../../dialects/mysql/functions.ts';
import { compareWithSource, readMysql, writtenPlainly } from './read-exactly.ts';
import { isEmpty, UNMEANT } from './shapes.ts';
import { mysqlWalk } from './walker.ts';

export async function readMysqlExpression(sql: string, faults: Faults): Promise<ExpressionReading> {
  const read = await readMysql(`${PREFIX}${sql}\n`, faults);
  const select = asNode(read?.query['select']);
  const [root, ...others] = asList(select['expressions']).map(asNode);
  const alone = Object.entries(select).every(
    ([key, value]) => key === 'expressions' || UNMEANT.has(key) || isEmpty(value),
  );
  const single = root !== undefined && others.length === 0 && alone && !('alias' in root) && !('star' in root);
  if (read && single) compareWithSource(writtenPlainly(read.query, faults), read.tokens, faults);
  return {
    root: single && faults.list.length === 0 ? root : null,
    curated: MYSQL_FUNCTIONS,
    call: (node) => {
      const wrapped = asNode(node);
      const window = asNode(wrapped['window_function']);
      if (isNode(wrapped['window_function'])) {
        const inner = asNode(asNode(window['this'])['function']);
        return { name: asText(inner['name']).toLowerCase(), distinct: false, windowed: true, args: [] };
      }
      const concat = wrapped['group_concat'];
      if (isNode(concat)) {
        const args = [concat['this'], concat['order_by']];
        return { name: 'group_concat', distinct: concat['distinct'] === true, windowed: false, args };
      }
      const call = asNode(wrapped['function']);
      if (Object.keys(wrapped).length !== 1 || typeof call['name'] !== 'string') return null;
      const args = asList(call['args']).slice(typeof call['unit'] === 'string' ? 1 : 0);
      return { name: call['name'].toLowerCase(), distinct: call['distinct'] === true, windowed: false, args };
    },
    column: (node) => {
      const column = asNode(asNode(node)['column']);
      if (!isNode(column['name'])) return null;
      return [column['schema'], column['table'], column['name']].filter(isNode).map((part) => asText(part['name']));
    },
    nothing: { null: null },
    walk: (analysis) => walkExpression(mysqlWalk(analysis, 0), root),
  };
}
