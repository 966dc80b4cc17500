// Checks the types of a condition. Some engines accept any expression as a condition, and convert its constants only
// when they run the statement.
import type { Datatype } from '../../contract/warehouse.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import type { Expression, Literal } from '../../dialects/tree.ts';
import { readSingleExpression } from '../../guard/analyze-expression.ts';
import { datasetOfPath } from '../model/join-paths.ts';
import { findField, type Lens, type LensModel } from '../model/lens.ts';
import { replaceAttributes } from '../model/sql-words.ts';

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$|^\s*[+-]?(?:nan|inf(?:inity)?)\s*$/i;
const BOOLEAN = /^\s*(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|y(?:es?)?|no?|on|off?|1|0)\s*$/i;
const TIME = /\d|^\s*(?:[+-]?infinity|epoch|now|today|tomorrow|yesterday|allballs)\s*$/i;
const TEXT_FORMATS: Record<Exclude<Datatype, 'string'>, RegExp> = {
  ...{ integer: NUMBER, decimal: NUMBER, float: NUMBER, boolean: BOOLEAN },
  ...{ date: TIME, time: TIME, datetime: TIME, datetimetz: TIME },
};

/** `columnTypes`: the types of columns that aren't fields, by path. */
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
    const dataset = datasetOfPath(model, path);
    return (dataset && findField(dataset, name)?.datatype) ?? columnTypes[`${path}.${name}`] ?? null;
  };
  return expression && !dialectOf(model.dialect).comparesByCasting ? faultOf(expression, typeOf) : null;
}

type TypeOf = (path: readonly string[]) => Datatype | null;

function faultOf(node: Expression, typeOf: TypeOf): string | null {
  switch (node.kind) {
    case 'logic':
      return node.args.map((arg) => faultOf(arg, typeOf)).find((fault) => fault !== null) ?? null;
    case 'column': {
      const type = typeOf(node.path);
      // Some engines store flags as integers.
      return type && !['boolean', 'integer'].includes(type)
        ? notConditionText(`${node.path.join('.')} is ${datatypeText(type)}`)
        : null;
    }
    case 'arithmetic':
      return notConditionText('It computes a number');
    case 'literal':
      return ['boolean', 'null', 'bits'].includes(node.type) ? null : notConditionText(`"${node.value}" is a constant`);
    case 'compare':
      return mismatchIn([node.left, node.right], typeOf);
    case 'between':
      return mismatchIn([node.value, node.low, node.high], typeOf);
    case 'in':
      return Array.isArray(node.among) ? mismatchIn([node.value, ...node.among], typeOf) : null;
    default:
      return null;
  }
}

const notConditionText = (reason: string): string =>
  `The filter is not a condition. ${reason}. Compare it with a value, like orders.sales > 0.`;

function mismatchIn(operands: readonly Expression[], typeOf: TypeOf): string | null {
  const columns = operands.flatMap((operand) => (operand.kind === 'column' ? [operand.path] : []));
  const literals = operands.flatMap((operand) => (operand.kind === 'literal' ? [operand] : []));
  for (const path of columns) {
    const type = typeOf(path);
    const wrongLiteral = type && literals.find((literal) => !fits(literal, type));
    if (wrongLiteral) {
      const constant = wrongLiteral.type === 'string' ? `'${wrongLiteral.value}'` : wrongLiteral.value;
      return `${path.join('.')} is ${datatypeText(type)}, so it can't be compared with ${constant}. Write a constant of that type.`;
    }
  }
  return null;
}

function fits({ type: literalType, value }: Literal, type: Datatype): boolean {
  if (literalType === 'string') return type === 'string' || TEXT_FORMATS[type].test(value);
  return literalType !== 'number' || ['string', 'integer', 'decimal', 'float', 'boolean'].includes(type);
}

const datatypeText = (type: Datatype): string =>
  type === 'string' ? 'text' : `${type === 'integer' ? 'an' : 'a'} ${type}`;
