// Distinguishes conditions from values. In T-SQL, a condition isn't a value, and a bit is a value but not a condition.
import type { Expression, Node } from '../../../dialects/tree.ts';

export function listConditions(node: Node): (Expression | null)[] {
  switch (node.kind) {
    case 'select':
      return [node.where, node.having];
    case 'join':
      return [node.on];
    case 'case':
      return node.operand ? [] : node.whens.map(({ when }) => when);
    case 'logic':
      return node.args;
    case 'call':
      return node.name === 'iif' ? node.args.slice(0, 1) : [];
    default:
      return [];
  }
}

const CONDITION_KINDS = new Set('logic compare between in like is_null is_truth quantified exists'.split(' '));
export const isCondition = ({ kind }: Node): boolean => CONDITION_KINDS.has(kind);

export const isNeverUnknown = ({ kind }: Node): boolean => kind === 'is_null' || kind === 'exists';
