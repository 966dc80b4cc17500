// Writes expressions with parentheses around each nested operation. In plain form, writes only the parentheses of the
// source.
import { UnwritableError } from '../dialect.ts';
import { nullLiteral } from '../make-nodes.ts';
import type { Call, Case, Expression, FrameBound, In, Literal, SortKey, Star, Window } from '../tree.ts';
import type { BinaryRule } from './grammar.ts';
import { typeText } from './grammar.ts';
import type { Writing } from './writing.ts';

export function writeSortKeys(writing: Writing, keys: readonly SortKey[]): void {
  writing.putList(keys, ({ value, direction, nulls }) => {
    if (nulls !== null && !writing.grammar.nullsOrder) throw new UnwritableError('NULLS FIRST');
    writing.putExpression(value);
    if (direction === 'desc') writing.put(' DESC');
    if (nulls !== null) writing.put(` NULLS ${nulls.toUpperCase()}`);
  });
}

function writeOperand(writing: Writing, node: Expression, minLevel: number): void {
  const level = levelOf(writing, node);
  writing.putExpression(node, writing.sourceBrackets ? level < minLevel : level < writing.grammar.levels.primary);
}

function levelOf(writing: Writing, node: Expression): number {
  const { levels } = writing.grammar;
  switch (node.kind) {
    case 'logic':
      return node.operator === 'not' ? levels.not : ruleOf(writing, node).level;
    case 'arithmetic':
      return node.left === null ? levels.sign : ruleOf(writing, node).level;
    case 'compare':
    case 'operation':
      return ruleOf(writing, node).level;
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

function ruleOf(writing: Writing, node: Expression): BinaryRule {
  const operator = 'operator' in node ? node.operator : '';
  const rule = writing.grammar.binaryRules.find((item) => item.kind === node.kind && item.operator === operator);
  if (!rule) throw new UnwritableError(`the operator ${operator}`);
  return rule;
}

export function writeExpression(writing: Writing, node: Expression): void {
  const { levels, patterns } = writing.grammar;
  switch (node.kind) {
    case 'logic':
      if (node.operator === 'not') {
        writing.put('NOT ');
        writeOperand(writing, node.args[0]!, levels.not);
      } else {
        const rule = ruleOf(writing, node);
        for (const [index, arg] of node.args.entries()) {
          if (index > 0) writing.put(` ${rule.text} `);
          writeOperand(writing, arg, rule.level + 1);
        }
      }
      return;
    case 'arithmetic':
      if (node.left === null) {
        if (node.operator !== '-') throw new UnwritableError('a plus sign');
        writing.put('- ');
        writeOperand(writing, node.right, levels.sign);
      } else writeBinary(writing, node, node.left, node.right);
      return;
    case 'compare':
    case 'operation':
      if (node.left === null || node.right === null) throw new UnwritableError(`the operator ${node.operator}`);
      writeBinary(writing, node, node.left, node.right);
      return;
    case 'is_null':
    case 'is_truth':
      if (node.kind === 'is_truth' && (node.is === 'unknown' || !writing.grammar.features.has('is true')))
        throw new UnwritableError(`IS ${node.is.toUpperCase()}`);
      writeOperand(writing, node.value, levels.compared);
      writing.put(` IS${node.negated ? ' NOT' : ''} ${node.kind === 'is_null' ? 'NULL' : node.is.toUpperCase()}`);
      return;
    case 'between':
      if (node.symmetric) throw new UnwritableError('SYMMETRIC');
      writeOperand(writing, node.value, levels.compared);
      writing.put(`${node.negated ? ' NOT' : ''} BETWEEN `);
      writeOperand(writing, node.low, levels.compared);
      writing.put(' AND ');
      writeOperand(writing, node.high, levels.compared);
      return;
    case 'like': {
      const likeRule = Object.values(patterns).find(({ how }) => how === node.how);
      if (!likeRule) throw new UnwritableError(node.how);
      writeOperand(writing, node.value, levels.compared);
      writing.put(`${node.negated ? ' NOT' : ''} ${likeRule.text} `);
      writeOperand(writing, node.pattern, levels.pattern);
      writing.putClause('ESCAPE', node.escape, (sign) => writing.putExpression(sign));
      return;
    }
    case 'in':
      writeIn(writing, node);
      return;
    case 'collate':
      // The parser accepts COLLATE only after a few kinds of expressions.
      if (
        writing.sourceBrackets ||
        node.value.kind === 'column' ||
        (node.value.kind === 'literal' && node.value.type === 'string')
      )
        writeOperand(writing, node.value, levels.collate);
      else writing.putExpression(node.value, true);
      writing.put(` COLLATE ${node.collation}`);
      return;
    default:
      writePrimary(writing, node);
  }
}

function writeBinary(writing: Writing, node: Expression, left: Expression, right: Expression): void {
  const rule = ruleOf(writing, node);
  if (!writing.sourceBrackets) writing.put(writing.grammar.widenings.operators.get(rule.operator) ?? '');
  writeOperand(writing, left, rule.left);
  writing.put(` ${rule.text} `);
  writeOperand(writing, right, rule.right);
}

function writeIn(writing: Writing, node: In): void {
  writeOperand(writing, node.value, writing.grammar.levels.compared);
  writing.put(`${node.negated ? ' NOT' : ''} IN (`);
  if (Array.isArray(node.among)) writing.putExpressions(node.among);
  else writing.putQuery(node.among);
  writing.put(')');
}

function writePrimary(writing: Writing, node: Expression): void {
  switch (node.kind) {
    case 'column':
      writing.putPath(node.path);
      return;
    case 'star':
      writeStar(writing, node);
      return;
    case 'literal':
      writing.put(literalText(writing, node));
      return;
    case 'parameter':
      writing.put('?');
      return;
    case 'row':
      if (node.keyword) throw new UnwritableError('ROW');
      writing.put('(');
      writing.putExpressions(node.items);
      writing.put(')');
      return;
    case 'scalar':
      writing.putSubquery(node.query);
      writing.scalarSubqueryEnd = writing.text.length;
      return;
    case 'exists':
      writing.put(`${node.negated ? 'NOT ' : ''}EXISTS `);
      writing.putSubquery(node.query);
      return;
    case 'cast':
      writing.put(`${node.safe ? safeCastPrefix(writing) : ''}CAST(`);
      writing.putExpression(node.value);
      writing.put(` AS ${typeText(node.type)})`);
      return;
    case 'case':
      writeCase(writing, node);
      return;
    case 'interval':
      writing.put('INTERVAL ');
      writeOperand(writing, node.amount, 0);
      if (node.unit !== '') writing.put(` ${node.unit}`);
      return;
    case 'call':
      writeCall(writing, node);
      return;
    default:
      throw new UnwritableError(node.kind);
  }
}

function literalText(writing: Writing, { type, value }: Literal): string {
  const spelling = writing.sourceBrackets ? undefined : writing.grammar.spellings.find((item) => item.type === type);
  const spelledText = spelling?.text(value) ?? null;
  if (spelledText !== null) return spelledText;
  switch (type) {
    case 'number':
      return value;
    case 'string':
      return writing.grammar.quoteText(value);
    case 'boolean':
      return value.toUpperCase();
    case 'null':
      return 'NULL';
    case 'bits':
      throw new UnwritableError('bits');
    default:
      return `${type.toUpperCase()} ${writing.grammar.quoteText(value)}`;
  }
}

function safeCastPrefix({ grammar: { features } }: Writing): string {
  if (features.has('safe_cast')) return 'SAFE_';
  if (!features.has('try_cast')) throw new UnwritableError('TRY_CAST');
  return 'TRY_';
}

function writeStar(writing: Writing, { qualifier, exclude, replace, rename, columns }: Star): void {
  const cannotExclude = exclude.length > 0 && !writing.grammar.features.has('star except');
  if (columns || replace.length + rename.length > 0 || cannotExclude) throw new UnwritableError('* with this option');
  writing.put(`${qualifier.map((part) => `${writing.grammar.quoteName(part)}.`).join('')}*`);
  if (exclude.length > 0) {
    writing.put(' EXCEPT ');
    writing.putNames(exclude.map((path) => path.join('.')));
  }
}

function writeCase(writing: Writing, { operand, whens, otherwise }: Case): void {
  writing.put('CASE');
  if (operand) {
    writing.put(' ');
    writing.putExpression(operand);
  }
  for (const { when, result } of whens) {
    writing.putClause('WHEN', when, (node) => writing.putExpression(node));
    writing.putClause('THEN', result, (node) => writing.putExpression(node));
  }
  writing.putClause('ELSE', otherwise, (node) => writing.putExpression(node));
  writing.put(' END');
}

function writeCall(writing: Writing, call: Call): void {
  const { features } = writing.grammar;
  const isUnsupported = (call.within && !features.has('within group')) || (call.filter && !features.has('filter'));
  if (call.schema !== null || isUnsupported || call.nulls || call.variadic)
    throw new UnwritableError(`this form of ${call.name}`);
  writing.put(call.name);
  if (!call.bare) {
    writing.put(`(${call.distinct ? 'DISTINCT ' : ''}${call.star ? '*' : ''}`);
    writeArguments(writing, call);
    if (call.within) writing.put(') WITHIN GROUP (');
    if (call.orderBy.length > 0) writing.putClause('ORDER BY', call.orderBy, (keys) => writeSortKeys(writing, keys));
    if (call.separator !== null) writing.put(` SEPARATOR ${writing.grammar.quoteText(call.separator)}`);
    writing.put(')');
  }
  if (call.filter) {
    writing.put(' FILTER (WHERE ');
    writing.putExpression(call.filter);
    writing.put(')');
  }
  if (call.over) {
    writing.put(' OVER ');
    writeWindow(writing, call.over);
  }
}

function writeArguments(writing: Writing, { name, args, unit }: Call): void {
  const widening = writing.sourceBrackets ? undefined : writing.grammar.widenings.calls.get(name);
  if (name === 'extract' && unit !== null) writing.put(`${unit} FROM `);
  const unitIndex = unit === null || name === 'extract' ? undefined : (writing.grammar.unitFunctions.get(name) ?? 0);
  writing.putList(unitIndex === undefined ? args : args.toSpliced(unitIndex, 0, UNIT_PLACEHOLDER), (argument) => {
    if (argument === UNIT_PLACEHOLDER) return writing.put(unit!);
    if (widening === undefined || argument !== args[0]) return writing.putExpression(argument);
    writing.put(widening);
    writeOperand(writing, argument, writing.grammar.levels.primary);
  });
}
/** Marks the position of the time unit among the arguments. */
const UNIT_PLACEHOLDER: Expression = nullLiteral();

export function writeWindow(writing: Writing, { base, named, partitionBy, orderBy, frame }: Window): void {
  if (named && base !== null) {
    writing.put(writing.grammar.quoteName(base));
    return;
  }
  const startLength = writing.text.length + 1;
  const writeClause = <T>(word: string, node: T, write: (node: T) => void): void => {
    writing.put(`${writing.text.length > startLength ? ' ' : ''}${word} `);
    write(node);
  };
  writing.put(`(${base === null ? '' : writing.grammar.quoteName(base)}`);
  if (partitionBy.length > 0) writeClause('PARTITION BY', partitionBy, (keys) => writing.putExpressions(keys));
  if (orderBy.length > 0) writeClause('ORDER BY', orderBy, (keys) => writeSortKeys(writing, keys));
  if (frame) {
    if (frame.exclude) throw new UnwritableError('EXCLUDE');
    writeClause(`${frame.unit.toUpperCase()}${frame.end ? ' BETWEEN' : ''}`, frame.start, (bound) =>
      writeBound(writing, bound),
    );
    writing.putClause('AND', frame.end, (bound) => writeBound(writing, bound));
  }
  writing.put(')');
}

function writeBound(writing: Writing, { how, by }: FrameBound): void {
  if (by) {
    writing.putExpression(by);
    writing.put(' ');
  }
  writing.put(how.toUpperCase());
}
