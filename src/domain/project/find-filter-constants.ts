// Finds the string constants with which metrics, definitions and row policies of a lens compare fields.

import { listNodes } from '../../dialects/nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { readSingleExpression } from '../../guard/analyze-expression.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField, type Lens, type LensDataset, type LensField } from '../../lens/model/lens.ts';
import { replaceAttributes } from '../../lens/model/sql-words.ts';

export interface FilterConstant {
  dataset: LensDataset;
  field: LensField;
  value: string;
  /** The place in the lens file. */
  at: (string | number)[];
}

export async function findFilterConstants(lens: Lens): Promise<FilterConstant[]> {
  const constants: FilterConstant[] = [];
  for (const { sql, at } of listConditions(lens)) {
    const condition = replaceAttributes(sql, () => 'null');
    const expression = await readSingleExpression(lens.dialect, condition).catch(() => null);
    for (const [path, value] of expression ? listTextComparisons(expression) : []) {
      const [prefix = '', name = ''] = path;
      const dataset = findDatasetOfPath(lens, prefix);
      const field = dataset && findField(dataset, name);
      if (field?.datatype === 'string' && !field.masked) constants.push({ dataset: dataset!, field, value, at });
    }
  }
  return constants;
}

/** The SQL that the lens's own file contains. The terms that lenses share are in another file. */
function listConditions({ metrics, definitions, rowPolicies }: Lens): { sql: string; at: (string | number)[] }[] {
  const conditions = [
    ...metrics.flatMap(({ name, expression, filter }) => [
      { sql: expression, at: ['metrics', name, 'expression'] },
      { sql: filter, at: ['metrics', name, 'filter'] },
    ]),
    ...definitions
      .filter(({ shared }) => !shared)
      .flatMap(({ filter, senses }, index) => [
        { sql: filter, at: ['definitions', index, 'filter'] },
        ...senses.map((sense, place) => ({
          sql: sense.filter,
          at: ['definitions', index, 'senses', place, 'filter'],
        })),
      ]),
    ...rowPolicies.map(({ filter }, index) => ({ sql: filter, at: ['row_policies', index, 'filter'] })),
  ];
  return conditions.flatMap(({ sql, at }) => (sql === null ? [] : [{ sql, at }]));
}

function* listTextComparisons(expression: Expression): Generator<[readonly string[], string]> {
  for (const node of listNodes(expression)) {
    if (node.kind === 'compare') {
      yield* pairColumnWithText([node.left, node.right]);
    } else if (node.kind === 'in' && Array.isArray(node.among)) {
      for (const item of node.among) yield* pairColumnWithText([node.value, item]);
    }
  }
}

function* pairColumnWithText(operands: readonly Expression[]): Generator<[readonly string[], string]> {
  const column = operands.find((operand) => operand.kind === 'column');
  const literal = operands.find((operand) => operand.kind === 'literal' && operand.type === 'string');
  if (column?.kind === 'column' && literal?.kind === 'literal') yield [column.path, literal.value];
}
