// Checks the types of a condition. Some engines accept any expression as a condition, and convert its constants only
// when they run the statement.
import type { Datatype } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import type { Expression, Literal } from '../../dialects/tree.ts';
import { readSingleExpression } from '../../guard/analyze-expression.ts';
import { findDatasetOfPath } from '../model/join-paths.ts';
import { findField, type Lens, type LensModel } from '../model/lens.ts';
import { replaceAttributes } from '../model/sql-words.ts';

const NUMBER_PATTERN = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$|^\s*[+-]?(?:nan|inf(?:inity)?)\s*$/i;
const BOOLEAN_PATTERN = /^\s*(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|y(?:es?)?|no?|on|off?|1|0)\s*$/i;
const TIME_PATTERN = /\d|^\s*(?:[+-]?infinity|epoch|now|today|tomorrow|yesterday|allballs)\s*$/i;
const TEXT_FORMATS: Record<Exclude<Datatype, 'string'>, RegExp> = {
  ...{ integer: NUMBER_PATTERN, decimal: NUMBER_PATTERN, float: NUMBER_PATTERN, boolean: BOOLEAN_PATTERN },
  ...{ date: TIME_PATTERN, time: TIME_PATTERN, datetime: TIME_PATTERN, datetimetz: TIME_PATTERN },
};

/** `columnTypes` contains the types of the columns that aren't fields, by path. */
export async function findConditionFault(
  model: LensModel & Pick<Lens, 'dialect'>,
  condition: string,
  columnTypes: Record<string, Datatype> = {},
): Promise<string | null> {
  const expression = await readSingleExpression(
    model.dialect,
    replaceAttributes(condition, () => 'null'),
  );
  const typeOf = ([path = '', name = '']: readonly string[]): Datatype | null => {
    const dataset = findDatasetOfPath(model, path);
    return (dataset && findField(dataset, name)?.datatype) ?? columnTypes[`${path}.${name}`] ?? null;
  };
  return expression && !findDialect(model.dialect).comparesByCasting ? findNodeFault(expression, typeOf) : null;
}

type TypeLookup = (path: readonly string[]) => Datatype | null;

function findNodeFault(node: Expression, typeOf: TypeLookup): string | null {
  switch (node.kind) {
    case 'logic':
      return node.args.map((arg) => findNodeFault(arg, typeOf)).find((fault) => fault !== null) ?? null;
    case 'column': {
      const type = typeOf(node.path);
      // Some engines store flags as integers.
      return type && !['boolean', 'integer'].includes(type)
        ? describeNonCondition(`${node.path.join('.')} is ${describeDatatype(type)}`)
        : null;
    }
    case 'arithmetic':
      return describeNonCondition('It computes a number');
    case 'literal':
      return ['boolean', 'null', 'bits'].includes(node.type)
        ? null
        : describeNonCondition(`"${node.value}" is a constant`);
    case 'compare':
      return findMismatch([node.left, node.right], typeOf);
    case 'between':
      return findMismatch([node.value, node.low, node.high], typeOf);
    case 'in':
      return Array.isArray(node.among) ? findMismatch([node.value, ...node.among], typeOf) : null;
    default:
      return null;
  }
}

const describeNonCondition = (reason: string): string =>
  `The filter is not a condition. ${reason}. Compare it with a value, like orders.sales > 0.`;

function findMismatch(operands: readonly Expression[], typeOf: TypeLookup): string | null {
  const columns = operands.flatMap((operand) => (operand.kind === 'column' ? [operand.path] : []));
  const literals = operands.flatMap((operand) => (operand.kind === 'literal' ? [operand] : []));
  for (const path of columns) {
    const type = typeOf(path);
    const wrongLiteral = type && literals.find((literal) => !fitsType(literal, type));
    if (wrongLiteral) {
      const constant = wrongLiteral.type === 'string' ? `'${wrongLiteral.value}'` : wrongLiteral.value;
      return `${path.join('.')} is ${describeDatatype(type)}, so it can't be compared with ${constant}. Write a constant of that type.`;
    }
  }
  return null;
}

function fitsType({ type: literalType, value }: Literal, type: Datatype): boolean {
  if (literalType === 'string') return type === 'string' || TEXT_FORMATS[type].test(value);
  return literalType !== 'number' || ['string', 'integer', 'decimal', 'float', 'boolean'].includes(type);
}

const describeDatatype = (type: Datatype): string =>
  type === 'string' ? 'text' : `${type === 'integer' ? 'an' : 'a'} ${type}`;
