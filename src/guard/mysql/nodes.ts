// Small readings of single MySQL nodes.
import { asNode } from '../ast.ts';

/** The value of a constant; undefined for every other node. */
export function constantOf(node: unknown): string | number | boolean | null | undefined {
  const data = asNode(node);
  if ('null' in data) return null;
  const literal = asNode(data['literal']);
  if (literal['literal_type'] === 'number') return Number(literal['value']);
  return typeof literal['value'] === 'string' ? literal['value'] : undefined;
}

/** How a message calls a kind of node. */
export const spoken = (kind: string): string =>
  kind === '' ? 'This construct' : kind.replaceAll('_', ' ').toUpperCase();
