// Finds the stored values in a statement: names, keys and codes that the statement compares with a column of the lens.
import { toConstant } from '../../../dialects/nodes.ts';
import type { Column, Expression } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { requiresStoredValue, toCanonicalNumber, type ValueMention } from '../../read/values/named-values.ts';
import { listNodesOutsideQueries } from './parts.ts';
import type { SelectView, StatementReader } from './sources.ts';

export function findNamedValues(
  lens: Lens,
  reader: StatementReader,
  view: SelectView,
): { mention: ValueMention; wanted: string[] }[] {
  const { select, sources, outerSources } = view;
  const parts = [select.items, select.from, select.where, select.having, select.qualify];
  return listNodesOutsideQueries(parts).flatMap((node) => {
    const comparison = toComparedConstants(node as Expression);
    if (!comparison) return [];
    const output = reader.resolve(comparison.column, [...sources, ...outerSources])?.output;
    if (!output?.origin) return [];
    const { dataset, field } = output.origin;
    if (field.masked || !requiresStoredValue(lens, dataset, field)) return [];
    const comparedValues = comparison.values.flatMap((value) =>
      field.datatype === 'string' ? String(value) : (toCanonicalNumber(value) ?? []),
    );
    const term = `${dataset.name}.${field.name}`;
    const condition = {
      field: { path: dataset.name, field: field.name },
      op: '=' as const,
      values: comparedValues,
    };
    return comparedValues.length > 0 ? [{ mention: { condition, dataset, field, term }, wanted: comparedValues }] : [];
  });
}

function toComparedConstants(node: Expression): { column: Column; values: (string | number)[] } | null {
  if (node.kind === 'compare' && (node.operator === '=' || node.operator === '<>')) {
    const [column, value] = node.left.kind === 'column' ? [node.left, node.right] : [node.right, node.left];
    return column.kind === 'column' ? { column, values: listConstants([value]) } : null;
  }
  if (node.kind !== 'in' || !Array.isArray(node.among) || node.value.kind !== 'column') return null;
  return { column: node.value, values: listConstants(node.among) };
}

const listConstants = (expressions: Expression[]): (string | number)[] =>
  expressions.flatMap((item) => {
    const value = toConstant(item);
    return typeof value === 'string' || typeof value === 'number' ? [value] : [];
  });
