// Function calls of MySQL.
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { type Place, type Walk, words } from '../walk.ts';
import { onlyFieldsOf } from './fields.ts';
import { constantOf } from './nodes.ts';
import { INTERVAL_UNITS, isEmpty } from './shapes.ts';

const BARE_CALLS = words(
  `current_date current_time current_timestamp localtime localtimestamp utc_date utc_time utc_timestamp`,
);

export function walkCall(walk: Walk, data: AstNode, place: Place): void {
  const { analysis } = walk;
  const name = asText(data['name']).toLowerCase();
  const args = asList(data['args']);
  analysis.call(name);
  const bare = data['no_parens'] === true || (BARE_CALLS.has(name) && args.length === 0);
  if (bare ? !BARE_CALLS.has(name) || args.length > 0 : data['known'] !== true) {
    analysis.construct(`This form of ${name}`);
  }
  if (name !== 'format') checkBoundedCall(name, args, args.map(constantOf), analysis.faults);
  if (name === 'unix_timestamp' || (name === 'substring_index' && args.length !== 3)) analysis.construct(name);
  const single = name === 'count' && args.length === 1 ? asNode(args[0]) : {};
  const counted = data['distinct'] === true && 'column' in single;
  for (const [index, arg] of args.entries()) {
    if (index === 0 && typeof data['unit'] === 'string') {
      if (!INTERVAL_UNITS.has(data['unit'])) analysis.construct(`The unit ${data['unit']}`);
    } else if ('star' in single && isEmpty(asNode(single['star'])['table'])) {
      onlyFieldsOf(analysis, 'star', '*', asNode(single['star']));
    } else walk.visit(arg, { ...place, position: counted ? 'counted' : 'used' });
  }
}
