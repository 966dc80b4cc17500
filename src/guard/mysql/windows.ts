// OVER and WINDOW of MySQL: what parts, orders and frames the rows of a window.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import type { Place, Walk } from '../walk.ts';
import { nameIn, onlyFieldsOf } from './fields.ts';
import { isEmpty } from './shapes.ts';

export function walkWindow(walk: Walk, over: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFieldsOf(analysis, 'over', 'OVER', over);
  if (isNode(over['window_name'])) nameIn(analysis, over['window_name']);
  walk.visit(over['partition_by'], place);
  visitOrders(walk, over['order_by'], place);
  if (!isNode(over['frame'])) return;
  const frame = over['frame'];
  onlyFieldsOf(analysis, 'frame', 'A window frame', frame);
  if (!['Rows', 'Range'].includes(asText(frame['kind']))) analysis.construct('This window frame');
  for (const side of [frame['start'], frame['end']]) {
    const bound = isNode(side) ? (side['Preceding'] ?? side['Following']) : side;
    if (isNode(bound)) walk.visit(bound, place);
    else if (!isEmpty(side) && !/^(?:CurrentRow|UnboundedPreceding|UnboundedFollowing)$/.test(String(side))) {
      analysis.construct('This window frame');
    }
  }
}

export function visitOrders(walk: Walk, keys: unknown, place: Place): void {
  for (const key of asList(keys).map(asNode)) {
    onlyFieldsOf(walk.analysis, 'ordered', 'ORDER BY', key);
    walk.visit(key['this'], place);
  }
}
