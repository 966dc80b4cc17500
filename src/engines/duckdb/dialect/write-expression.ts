import { UnwritableError } from '../../../dialects/dialect.ts';
import type {
  Call,
  Expression,
  Frame,
  Interval,
  Literal,
  Operation,
  Star,
  TypeName,
  Window,
} from '../../../dialects/tree.ts';
import { DUCKDB_NON_FUNCTIONS } from './syntax.ts';
import { type QueryWriter, quoteNames, quoteText, writeName } from './write-names.ts';

/**
 * The operators `->` and `->>` have the lowest precedence. Prefix operators such as `~` and most other operators share
 * the level `sign`.
 */
const PRECEDENCE = {
  arrow: 0,
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  compare: 5,
  among: 6,
  sign: 7,
  sum: 8,
  product: 9,
  power: 10,
};
const COLLATE_LEVEL = 11;
const MINUS_LEVEL = 12;
const PATH_LEVEL = 13;
const PRIMARY_LEVEL = 14;

const ARITHMETIC_LEVELS = { '+': PRECEDENCE.sum, '-': PRECEDENCE.sum, '^': PRECEDENCE.power };

function findPrecedence(expression: Expression): number {
  switch (expression.kind) {
    case 'logic':
      return expression.operator === 'xor' ? PRECEDENCE.arrow : PRECEDENCE[expression.operator];
    case 'exists':
      return expression.negated ? PRECEDENCE.not : MINUS_LEVEL;
    case 'is_null':
    case 'is_truth':
      return PRECEDENCE.is;
    case 'compare':
      return expression.operator.startsWith('is') ? PRECEDENCE.is : PRECEDENCE.compare;
    case 'between':
    case 'in':
    case 'like':
    case 'quantified':
      return PRECEDENCE.among;
    case 'arithmetic':
      return expression.left === null ? MINUS_LEVEL : findArithmeticPrecedence(expression.operator);
    case 'operation':
      return findOperationPrecedence(expression);
    case 'collate':
      return COLLATE_LEVEL;
    case 'interval':
      return MINUS_LEVEL;
    case 'literal':
      return expression.type === 'string' ? PRIMARY_LEVEL : MINUS_LEVEL;
    case 'subscript':
      return PATH_LEVEL;
    case 'lambda':
    case 'named_argument':
      return PRECEDENCE.arrow;
    default:
      return PRIMARY_LEVEL;
  }
}

const findArithmeticPrecedence = (operator: string): number =>
  Object.hasOwn(ARITHMETIC_LEVELS, operator)
    ? ARITHMETIC_LEVELS[operator as keyof typeof ARITHMETIC_LEVELS]
    : PRECEDENCE.product;

function findOperationPrecedence({ operator, left }: Operation): number {
  if (operator === '->' || operator === '->>') return PRECEDENCE.arrow;
  if (operator === '.') return PATH_LEVEL;
  if (operator === 'array') return PRIMARY_LEVEL;
  return operator === '**' && left !== null ? PRECEDENCE.power : PRECEDENCE.sign;
}

export function writeExpression(writing: QueryWriter, expression: Expression): string {
  const write = writing.writeExpression;
  const listText = (items: readonly Expression[]): string => items.map(write).join(', ');
  const writeOperand = (level: number, operand: Expression): string =>
    findPrecedence(operand) >= level ? write(operand) : `(${write(operand)})`;
  switch (expression.kind) {
    case 'column':
      return expression.path.map(writeName).join('.');
    case 'star':
      return writeStar(writing, expression);
    case 'literal':
      return writeLiteral(expression);
    case 'parameter':
      return `$${expression.index}`;
    case 'call':
      return writeCall(writing, expression);
    case 'named_argument':
      return `${writeName(expression.name)} := ${write(expression.value)}`;
    case 'case': {
      const { operand, whens, otherwise } = expression;
      if (operand !== null) throw new UnwritableError('CASE with an operand');
      const arms = whens.map(({ when, result }) => ` WHEN ${write(when)} THEN ${write(result)}`);
      return `CASE${arms.join('')}${otherwise === null ? '' : ` ELSE ${write(otherwise)}`} END`;
    }
    case 'cast': {
      const { value, type, safe } = expression;
      return `${safe ? 'TRY_CAST' : 'CAST'}(${write(value)} AS ${writeType(type)})`;
    }
    case 'logic': {
      const { operator, args } = expression;
      if (operator === 'xor') throw new UnwritableError('XOR');
      if (operator === 'not') return `NOT ${writeOperand(PRECEDENCE.is, args[0]!)}`;
      return args.map((arg) => writeOperand(PRECEDENCE[operator] + 1, arg)).join(` ${operator.toUpperCase()} `);
    }
    case 'compare': {
      const { operator, left, right } = expression;
      return `${writeOperand(PRECEDENCE.sign, left)} ${operator.toUpperCase()} ${writeOperand(PRECEDENCE.sign, right)}`;
    }
    case 'arithmetic': {
      const { operator, left, right } = expression;
      if (left === null) return `${operator}${writeOperand(PATH_LEVEL, right)}`;
      const level = findArithmeticPrecedence(operator);
      return `${writeOperand(level, left)} ${operator} ${writeOperand(level + 1, right)}`;
    }
    case 'operation':
      return writeOperation(expression, write, writeOperand);
    case 'between': {
      if (expression.symmetric) throw new UnwritableError('BETWEEN SYMMETRIC');
      const { value, low, high, negated } = expression;
      // DuckDB accepts fewer constructs as the lower bound of BETWEEN than elsewhere.
      const betweenText = `${negated ? 'NOT ' : ''}BETWEEN ${writeOperand(MINUS_LEVEL, low)} AND ${writeOperand(PRECEDENCE.sign, high)}`;
      return `${writeOperand(PRECEDENCE.sign, value)} ${betweenText}`;
    }
    case 'in': {
      const { value, among, negated } = expression;
      const candidatesText = Array.isArray(among) ? listText(among) : writing.writeQuery(among);
      return `${writeOperand(PRECEDENCE.sign, value)} ${negated ? 'NOT ' : ''}IN (${candidatesText})`;
    }
    case 'like': {
      const { how, value, pattern, escape: sign, negated } = expression;
      if ((how !== 'like' && how !== 'ilike' && how !== 'glob') || (how === 'glob' && (negated || sign)))
        throw new UnwritableError(how);
      const escapeClause = sign === null ? '' : ` ESCAPE ${writeOperand(PRECEDENCE.sign, sign)}`;
      return `${writeOperand(PRECEDENCE.sign, value)} ${negated ? 'NOT ' : ''}${how.toUpperCase()} ${writeOperand(PRECEDENCE.sign, pattern)}${escapeClause}`;
    }
    case 'is_null':
      return `${writeOperand(PRECEDENCE.sign, expression.value)} IS ${expression.negated ? 'NOT ' : ''}NULL`;
    case 'is_truth': {
      if (expression.is === 'unknown') throw new UnwritableError('IS UNKNOWN');
      return `${writeOperand(PRECEDENCE.sign, expression.value)} IS ${expression.negated ? 'NOT ' : ''}${expression.is.toUpperCase()}`;
    }
    case 'quantified': {
      const { operator, how, left, among } = expression;
      if (how === 'all' || !isQuery(among)) throw new UnwritableError('ALL');
      return `${writeOperand(PRECEDENCE.sum, left)} ${operator} ANY (${writing.writeQuery(among)})`;
    }
    case 'exists':
      return `${expression.negated ? 'NOT ' : ''}EXISTS (${writing.writeQuery(expression.query)})`;
    case 'scalar':
      return `(${writing.writeQuery(expression.query)})`;
    case 'interval':
      return writeInterval(expression, write);
    case 'collate':
      return `${writeOperand(PATH_LEVEL, expression.value)} COLLATE ${expression.collation.split('.').map(writeName).join('.')}`;
    case 'row':
      return `${expression.keyword ? 'ROW' : ''}(${listText(expression.items)})`;
    case 'list':
      return `[${listText(expression.items)}]`;
    case 'subscript': {
      const { value, index, slice } = expression;
      if (slice === null) return `${writeOperand(PATH_LEVEL, value)}[${index ? write(index) : ''}]`;
      const [from, to] = [slice.from, slice.to].map((bound) => (bound ? writeOperand(PRECEDENCE.sign, bound) : ''));
      const step = slice.step ? `${to || '-'}:${writeOperand(PRECEDENCE.sign, slice.step)}` : to;
      return `${writeOperand(PATH_LEVEL, value)}[${from}:${step}]`;
    }
    case 'lambda':
      return `lambda ${expression.parameters.map(writeName).join(', ')}: ${write(expression.body)}`;
    case 'array_query':
    case 'json':
      throw new UnwritableError(expression.kind);
  }
}

const isQuery = (node: object & { kind: string }): node is Parameters<QueryWriter['writeQuery']>[0] =>
  node.kind === 'select' || node.kind === 'set' || node.kind === 'values';

type WriteOperand = (level: number, operand: Expression) => string;

function writeOperation(
  { operator, left, right }: Operation,
  write: QueryWriter['writeExpression'],
  writeOperand: WriteOperand,
): string {
  if (right === null) throw new UnwritableError(`${operator} after its operand`);
  if (operator === 'array') return `ARRAY${write(right)}`;
  if (operator === '.') {
    if (left === null || right.kind !== 'literal' || right.type !== 'string') throw new UnwritableError('a path');
    return `(${write(left)}).${writeName(right.value)}`;
  }
  const level = operator === '**' ? PRECEDENCE.power : PRECEDENCE.sum;
  if (left === null) return `${operator}${writeOperand(PATH_LEVEL, right)}`;
  return `${writeOperand(level, left)} ${operator} ${writeOperand(operator === '**' ? level + 1 : level, right)}`;
}

function writeLiteral({ type, value }: Literal): string {
  switch (type) {
    case 'string':
      return quoteText(value);
    case 'number':
      return value;
    case 'boolean':
      return value.toUpperCase();
    case 'null':
      return 'NULL';
    case 'date':
    case 'time':
    case 'timestamp':
      return `${type.toUpperCase()} ${quoteText(value)}`;
    case 'bits':
    case 'datetime':
      throw new UnwritableError(type);
  }
}

const writeInterval = ({ amount, unit }: Interval, write: QueryWriter['writeExpression']): string => {
  const isPlainAmount = amount.kind === 'literal' && (amount.type === 'string' || /^\d+$/.test(amount.value));
  return `INTERVAL ${isPlainAmount ? write(amount) : `(${write(amount)})`} ${unit.toUpperCase()}`;
};

function writeType({ name, modifiers, dimensions, fields }: TypeName): string {
  // NULL is the only type name that is a reserved word.
  const word = name === 'null' ? '"NULL"' : name.toUpperCase();
  const modifiersText = [
    ...modifiers,
    ...fields.map((field) =>
      name === 'map' ? writeType(field.type) : `${writeName(field.name ?? '')} ${writeType(field.type)}`,
    ),
  ].join(', ');
  return `${word}${modifiersText === '' ? '' : `(${modifiersText})`}${dimensions.map((size) => `[${size ?? ''}]`).join('')}`;
}

function writeStar({ writeExpression: write }: QueryWriter, star: Star): string {
  const { qualifier, exclude, replace, rename, columns } = star;
  if (rename.length > 0 || exclude.some(({ length }) => length !== 1)) throw new UnwritableError('* RENAME');
  const excludeText = exclude.length > 0 ? ` EXCLUDE${quoteNames(exclude.map(([name]) => name!))}` : '';
  const replaceText = replace.map(({ value, alias }) => `${write(value)} AS ${writeName(alias ?? '')}`).join(', ');
  const text = `${[...qualifier.map(writeName), '*'].join('.')}${excludeText}${replaceText === '' ? '' : ` REPLACE (${replaceText})`}`;
  if (columns === null) return text;
  return `COLUMNS(${columns.of === null ? text : write(columns.of)})`;
}

function writeCall(writing: QueryWriter, call: Call): string {
  const { name, schema, args, star, distinct, orderBy, within, filter, over, nulls } = call;
  if (call.variadic || call.unit !== null || call.separator !== null) throw new UnwritableError(`this call of ${name}`);
  if (call.bare) return name;
  const functionText = DUCKDB_NON_FUNCTIONS.has(name) && schema === null ? name.toUpperCase() : writeName(name);
  const orderText = orderBy.length > 0 ? `ORDER BY ${writing.writeSortKeys(orderBy)}` : '';
  const argumentsText = [
    distinct ? 'DISTINCT' : '',
    star ? '*' : args.map(writing.writeExpression).join(', '),
    within ? '' : orderText,
    nulls === null ? '' : `${nulls.toUpperCase()} NULLS`,
  ];
  return [
    `${schema === null ? '' : `${writeName(schema)}.`}${functionText}(${argumentsText.filter((part) => part !== '').join(' ')})`,
    within ? `WITHIN GROUP (${orderText})` : '',
    filter === null ? '' : `FILTER (WHERE ${writing.writeExpression(filter)})`,
    over === null ? '' : `OVER (${writeWindow(writing, over)})`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function writeWindow(writing: QueryWriter, { base, named, partitionBy, orderBy, frame }: Window): string {
  if (base !== null || named) throw new UnwritableError('a named window');
  return [
    partitionBy.length > 0 ? `PARTITION BY ${partitionBy.map(writing.writeExpression).join(', ')}` : '',
    orderBy.length > 0 ? `ORDER BY ${writing.writeSortKeys(orderBy)}` : '',
    frame ? writeFrame(frame, writing.writeExpression) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function writeFrame({ unit, start, end, exclude }: Frame, write: QueryWriter['writeExpression']): string {
  const boundText = ({ how, by }: Frame['start']): string => `${by ? `(${write(by)}) ` : ''}${how.toUpperCase()}`;
  const range = end === null ? boundText(start) : `BETWEEN ${boundText(start)} AND ${boundText(end)}`;
  return `${unit.toUpperCase()} ${range}${exclude === null ? '' : ` EXCLUDE ${exclude.toUpperCase()}`}`;
}
