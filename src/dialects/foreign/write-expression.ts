// Writes expressions with parentheses around each nested operation. In plain form, writes only the parentheses of the
// source.
import { UnwritableError } from '../dialect.ts';
import { nullLiteral } from '../make-nodes.ts';
import type { Call, Case, Expression, FrameBound, In, Literal, SortKey, Star, Window } from '../tree.ts';
import type { BinaryRule } from './grammar.ts';
import { formatTypeName } from './grammar.ts';
import type { SqlWriter } from './sql-writer.ts';

export function writeSortKeys(writer: SqlWriter, keys: readonly SortKey[]): void {
  writer.putList(keys, ({ value, direction, nulls }) => {
    if (nulls !== null && !writer.grammar.nullsOrder) throw new UnwritableError('NULLS FIRST');
    writer.putExpression(value);
    if (direction === 'desc') writer.put(' DESC');
    if (nulls !== null) writer.put(` NULLS ${nulls.toUpperCase()}`);
  });
}

function writeOperand(writer: SqlWriter, node: Expression, minLevel: number): void {
  const level = findPrecedence(writer, node);
  writer.putExpression(node, writer.sourceBrackets ? level < minLevel : level < writer.grammar.levels.primary);
}

function findPrecedence(writer: SqlWriter, node: Expression): number {
  const { levels } = writer.grammar;
  switch (node.kind) {
    case 'logic':
      return node.operator === 'not' ? levels.not : findBinaryRule(writer, node).level;
    case 'arithmetic':
      return node.left === null ? levels.sign : findBinaryRule(writer, node).level;
    case 'compare':
    case 'operation':
      return findBinaryRule(writer, node).level;
    case 'between':
    case 'in':
    case 'like':
    case 'is_null':
    case 'is_truth':
      return levels.comparison;
    case 'collate':
      return levels.collate;
    default:
      // A negative number has the precedence of its sign.
      return node.kind === 'literal' && node.value.startsWith('-') && node.type === 'number'
        ? levels.sign
        : levels.primary;
  }
}

function findBinaryRule(writer: SqlWriter, node: Expression): BinaryRule {
  const operator = 'operator' in node ? node.operator : '';
  const rule = writer.grammar.binaryRules.find((item) => item.kind === node.kind && item.operator === operator);
  if (!rule) throw new UnwritableError(`the operator ${operator}`);
  return rule;
}

export function writeExpression(writer: SqlWriter, node: Expression): void {
  const { levels, patterns } = writer.grammar;
  switch (node.kind) {
    case 'logic':
      if (node.operator === 'not') {
        writer.put('NOT ');
        writeOperand(writer, node.args[0]!, levels.not);
      } else {
        const rule = findBinaryRule(writer, node);
        for (const [index, arg] of node.args.entries()) {
          if (index > 0) writer.put(` ${rule.text} `);
          writeOperand(writer, arg, rule.level + 1);
        }
      }
      return;
    case 'arithmetic':
      if (node.left === null) {
        if (node.operator !== '-') throw new UnwritableError('a plus sign');
        writer.put('- ');
        writeOperand(writer, node.right, levels.sign);
      } else writeBinary(writer, node, node.left, node.right);
      return;
    case 'compare':
    case 'operation':
      if (node.left === null || node.right === null) throw new UnwritableError(`the operator ${node.operator}`);
      writeBinary(writer, node, node.left, node.right);
      return;
    case 'is_null':
    case 'is_truth':
      if (node.kind === 'is_truth' && (node.is === 'unknown' || !writer.grammar.features.has('is true')))
        throw new UnwritableError(`IS ${node.is.toUpperCase()}`);
      writeOperand(writer, node.value, levels.compared);
      writer.put(` IS${node.negated ? ' NOT' : ''} ${node.kind === 'is_null' ? 'NULL' : node.is.toUpperCase()}`);
      return;
    case 'between':
      if (node.symmetric) throw new UnwritableError('SYMMETRIC');
      writeOperand(writer, node.value, levels.compared);
      writer.put(`${node.negated ? ' NOT' : ''} BETWEEN `);
      writeOperand(writer, node.low, levels.compared);
      writer.put(' AND ');
      writeOperand(writer, node.high, levels.compared);
      return;
    case 'like': {
      const likeRule = Object.values(patterns).find(({ how }) => how === node.how);
      if (!likeRule) throw new UnwritableError(node.how);
      writeOperand(writer, node.value, levels.compared);
      writer.put(`${node.negated ? ' NOT' : ''} ${likeRule.text} `);
      writeOperand(writer, node.pattern, levels.pattern);
      writer.putClause('ESCAPE', node.escape, (sign) => writer.putExpression(sign));
      return;
    }
    case 'in':
      writeInCondition(writer, node);
      return;
    case 'collate':
      // The parser accepts COLLATE only after a few kinds of expressions.
      if (
        writer.sourceBrackets ||
        node.value.kind === 'column' ||
        (node.value.kind === 'literal' && node.value.type === 'string')
      )
        writeOperand(writer, node.value, levels.collate);
      else writer.putExpression(node.value, true);
      writer.put(` COLLATE ${node.collation}`);
      return;
    default:
      writePrimary(writer, node);
  }
}

function writeBinary(writer: SqlWriter, node: Expression, left: Expression, right: Expression): void {
  const rule = findBinaryRule(writer, node);
  if (!writer.sourceBrackets) writer.put(writer.grammar.widenings.operators.get(rule.operator) ?? '');
  writeOperand(writer, left, rule.left);
  writer.put(` ${rule.text} `);
  writeOperand(writer, right, rule.right);
}

function writeInCondition(writer: SqlWriter, node: In): void {
  writeOperand(writer, node.value, writer.grammar.levels.compared);
  writer.put(`${node.negated ? ' NOT' : ''} IN (`);
  if (Array.isArray(node.among)) writer.putExpressions(node.among);
  else writer.putQuery(node.among);
  writer.put(')');
}

function writePrimary(writer: SqlWriter, node: Expression): void {
  switch (node.kind) {
    case 'column':
      writer.putPath(node.path);
      return;
    case 'star':
      writeStar(writer, node);
      return;
    case 'literal':
      writer.put(formatLiteral(writer, node));
      return;
    case 'parameter':
      writer.put('?');
      return;
    case 'row':
      if (node.keyword) throw new UnwritableError('ROW');
      writer.put('(');
      writer.putExpressions(node.items);
      writer.put(')');
      return;
    case 'scalar':
      writer.putSubquery(node.query);
      writer.scalarSubqueryEnd = writer.text.length;
      return;
    case 'exists':
      writer.put(`${node.negated ? 'NOT ' : ''}EXISTS `);
      writer.putSubquery(node.query);
      return;
    case 'cast':
      writer.put(`${node.safe ? chooseSafeCastPrefix(writer) : ''}CAST(`);
      writer.putExpression(node.value);
      writer.put(` AS ${formatTypeName(node.type)})`);
      return;
    case 'case':
      writeCase(writer, node);
      return;
    case 'interval':
      writer.put('INTERVAL ');
      writeOperand(writer, node.amount, 0);
      if (node.unit !== '') writer.put(` ${node.unit}`);
      return;
    case 'call':
      writeCall(writer, node);
      return;
    default:
      throw new UnwritableError(node.kind);
  }
}

function formatLiteral(writer: SqlWriter, { type, value }: Literal): string {
  const spelling = writer.sourceBrackets ? undefined : writer.grammar.spellings.find((item) => item.type === type);
  const spelledText = spelling?.text(value) ?? null;
  if (spelledText !== null) return spelledText;
  switch (type) {
    case 'number':
      return value;
    case 'string':
      return writer.grammar.quoteText(value);
    case 'boolean':
      return value.toUpperCase();
    case 'null':
      return 'NULL';
    case 'bits':
      throw new UnwritableError('bits');
    default:
      return `${type.toUpperCase()} ${writer.grammar.quoteText(value)}`;
  }
}

function chooseSafeCastPrefix({ grammar: { features } }: SqlWriter): string {
  if (features.has('safe_cast')) return 'SAFE_';
  if (!features.has('try_cast')) throw new UnwritableError('TRY_CAST');
  return 'TRY_';
}

function writeStar(writer: SqlWriter, { qualifier, exclude, replace, rename, columns }: Star): void {
  const cannotExclude = exclude.length > 0 && !writer.grammar.features.has('star except');
  if (columns || replace.length + rename.length > 0 || cannotExclude) throw new UnwritableError('* with this option');
  writer.put(`${qualifier.map((part) => `${writer.grammar.quoteName(part)}.`).join('')}*`);
  if (exclude.length > 0) {
    writer.put(' EXCEPT ');
    writer.putNames(exclude.map((path) => path.join('.')));
  }
}

function writeCase(writer: SqlWriter, { operand, whens, otherwise }: Case): void {
  writer.put('CASE');
  if (operand) {
    writer.put(' ');
    writer.putExpression(operand);
  }
  for (const { when, result } of whens) {
    writer.putClause('WHEN', when, (node) => writer.putExpression(node));
    writer.putClause('THEN', result, (node) => writer.putExpression(node));
  }
  writer.putClause('ELSE', otherwise, (node) => writer.putExpression(node));
  writer.put(' END');
}

function writeCall(writer: SqlWriter, call: Call): void {
  const { features } = writer.grammar;
  const isUnsupported = (call.within && !features.has('within group')) || (call.filter && !features.has('filter'));
  if (call.schema !== null || isUnsupported || call.nulls || call.variadic)
    throw new UnwritableError(`this form of ${call.name}`);
  writer.put(call.name);
  if (!call.bare) {
    writer.put(`(${call.distinct ? 'DISTINCT ' : ''}${call.star ? '*' : ''}`);
    writeArguments(writer, call);
    if (call.within) writer.put(') WITHIN GROUP (');
    if (call.orderBy.length > 0) writer.putClause('ORDER BY', call.orderBy, (keys) => writeSortKeys(writer, keys));
    if (call.separator !== null) writer.put(` SEPARATOR ${writer.grammar.quoteText(call.separator)}`);
    writer.put(')');
  }
  if (call.filter) {
    writer.put(' FILTER (WHERE ');
    writer.putExpression(call.filter);
    writer.put(')');
  }
  if (call.over) {
    writer.put(' OVER ');
    writeWindow(writer, call.over);
  }
}

function writeArguments(writer: SqlWriter, { name, args, unit }: Call): void {
  const widening = writer.sourceBrackets ? undefined : writer.grammar.widenings.calls.get(name);
  if (name === 'extract' && unit !== null) writer.put(`${unit} FROM `);
  const unitIndex = unit === null || name === 'extract' ? undefined : (writer.grammar.unitFunctions.get(name) ?? 0);
  writer.putList(unitIndex === undefined ? args : args.toSpliced(unitIndex, 0, UNIT_PLACEHOLDER), (argument) => {
    if (argument === UNIT_PLACEHOLDER) return writer.put(unit!);
    if (widening === undefined || argument !== args[0]) return writer.putExpression(argument);
    writer.put(widening);
    writeOperand(writer, argument, writer.grammar.levels.primary);
  });
}
/** Stands in for the time unit among the arguments. */
const UNIT_PLACEHOLDER: Expression = nullLiteral();

export function writeWindow(writer: SqlWriter, { base, named, partitionBy, orderBy, frame }: Window): void {
  if (named && base !== null) {
    writer.put(writer.grammar.quoteName(base));
    return;
  }
  const startLength = writer.text.length + 1;
  const writeClause = <T>(word: string, node: T, write: (node: T) => void): void => {
    writer.put(`${writer.text.length > startLength ? ' ' : ''}${word} `);
    write(node);
  };
  writer.put(`(${base === null ? '' : writer.grammar.quoteName(base)}`);
  if (partitionBy.length > 0) writeClause('PARTITION BY', partitionBy, (keys) => writer.putExpressions(keys));
  if (orderBy.length > 0) writeClause('ORDER BY', orderBy, (keys) => writeSortKeys(writer, keys));
  if (frame) {
    if (frame.exclude) throw new UnwritableError('EXCLUDE');
    writeClause(`${frame.unit.toUpperCase()}${frame.end ? ' BETWEEN' : ''}`, frame.start, (bound) =>
      writeFrameBound(writer, bound),
    );
    writer.putClause('AND', frame.end, (bound) => writeFrameBound(writer, bound));
  }
  writer.put(')');
}

function writeFrameBound(writer: SqlWriter, { how, by }: FrameBound): void {
  if (by) {
    writer.putExpression(by);
    writer.put(' ');
  }
  writer.put(how.toUpperCase());
}
